import Digest
import Pixels

/// A look made of steps: the common form of `--look velvet+CISepiaTone(intensity=0.3)` and look files.
///
/// The form is YAML, followed by the bytes of tables after the mark that ends a YAML document. A render process, which
/// can open no other file, thus has everything it needs:
///
/// ```
/// rawmill-look: 1
/// name: evening
/// version: 2
/// summary: "Slide, a little brown."
/// steps:
///   - look: velvet@1
///     push: 0.5
///   - effect: CIColorMatrix
///     R: [1.0, 0.1, 0.0]
///   - table: {bytes: 12345}
///     input-space: srgb
///     strength: 0.8
/// ...
/// ```
///
/// Users write the same form without the mark, and tables as paths. ``LookFile`` reads both.
struct LookDefinition: Sendable, Equatable {
    /// `a-z 0-9 -`, at most 64 characters.
    let name: String
    /// 1 or more; nil if a library counts the look's versions.
    var version: UInt32?
    /// One line for users.
    let summary: String
    let steps: [LookStep]

    static let formVersion = "1"
    static let maxSteps = 32
    static let maxSummaryCharacters = 400

    init(name: String, version: UInt32? = nil, summary: String, steps: [LookStep]) {
        self.name = name
        self.version = version
        self.summary = Self.line(summary)
        self.steps = steps
    }

    /// One line of characters that YAML holds unescaped.
    private static func line(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars.prefix(maxSummaryCharacters) {
            switch scalar.value {
            case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF:
                line.unicodeScalars.append(scalar)
            default: line += " "
            }
        }
        return line
    }

    /// The canonical form. Numbers are in Swift's shortest form, parameters in the order of their names.
    var bytes: [UInt8] {
        var text = "rawmill-look: \(Self.formVersion)\nname: \(Self.quoted(name))\n"
        if let version { text += "version: \(version)\n" }
        text += "summary: \(Self.quoted(summary))\nsteps:\n"
        var tables: [UInt8] = []
        for step in steps {
            switch step.material {
            case .look(let name): text += "  - look: \(name)\n"
            case .effect(let name): text += "  - effect: \(name)\n"
            case .table(let bytes, let space):
                text += "  - table: {bytes: \(bytes.count)}\n    input-space: \(space.rawValue)\n"
                tables += bytes
            }
            for (key, numbers) in step.parameters.sorted(by: { $0.key < $1.key }) {
                let words = numbers.map { "\($0 + 0)" }
                text += "    \(key): \(words.count == 1 ? words[0] : "[\(words.joined(separator: ", "))]")\n"
            }
        }
        return Array(text.utf8) + LookFile.mark + tables
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }

    /// Reads only the canonical form.
    ///
    /// - Throws: `LookError` with line and column.
    init(_ bytes: [UInt8]) throws(LookError) {
        self = try LookFile.definition(bytes) { path throws(LookError) in
            throw LookError("the table \(path) is missing: import the look with `rawmill looks import`")
        }
        guard self.bytes == bytes else { throw LookError("it is not in Rawmill's canonical form") }
    }

    /// Parses a parameter of a chain: `key=1:0:0`.
    static func parameter(_ text: String) throws(LookError) -> (String, [Double]) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let numbers = parts.count == 2 ? parts[1].split(separator: ":").map { Double($0) } : []
        guard parts.count == 2, !parts[0].isEmpty, !numbers.isEmpty, numbers.count <= LookStep.maxNumbers,
            numbers.allSatisfy({ $0?.isFinite == true })
        else { throw LookError("\"\(text)\" is not a valid parameter: write name=number") }
        return (String(parts[0]), numbers.compactMap { $0 })
    }
}

extension Look {
    /// Creates a look from its steps.
    ///
    /// - Throws: `LookError`.
    init(_ definition: LookDefinition) throws(LookError) {
        var film: (film: any FilmStage, share: Float)?
        var effects: [any LookEffect] = []
        var text = definition.bytes
        guard !definition.steps.isEmpty else { throw LookError("it has no steps") }
        for step in definition.steps {
            // Pins the name to the version it means here.
            if case .look(let name) = step.material, let look = try? LookCatalogue.builtIn.look(name) {
                text += Array("\(look.digest)".utf8)
            }
            switch try step.made() {
            case .film(let next, let share):
                guard film == nil, effects.isEmpty else {
                    throw LookError("a film comes first, and only one is possible: it renders the scene's light")
                }
                film = (next, share)
            case .effect(let effect): effects.append(effect)
            }
        }
        self.init(
            name: definition.name, version: definition.version ?? 1, hasOwnVersion: definition.version != nil,
            summary: definition.summary, film: film?.film,
            filmShare: film?.share ?? 1, definition: text,
            effect: effects.isEmpty ? IdentityStage() : EffectChain(effects: effects))
    }
}
