import Digest
import Pixels

/// A look that is made of steps: what `--look velvet+CISepiaTone(intensity=0.3)` and look files say, in one form.
///
/// The form is text in lines, with the bytes of tables behind them, so that a render process, which can open no other file, needs
/// nothing else:
///
/// ```
/// rawmill-look 1
/// name evening
/// summary Slide, a little brown.
/// step look velvet@1 push=0.5
/// step effect CISepiaTone intensity=0.3
/// step table 12345 strength=0.8
/// ```
struct LookDefinition: Sendable, Equatable {
    /// `a-z 0-9 -`, at most 64 characters.
    let name: String
    /// One sentence for people, in one line.
    let summary: String
    let steps: [LookStep]

    /// How such bytes begin.
    static let mark = Array("rawmill-look ".utf8)
    private static let version = "1"
    private static let maxSteps = 32

    init(name: String, summary: String, steps: [LookStep]) {
        self.name = name
        self.summary = String(summary.map { $0.isNewline ? " " : $0 })
        self.steps = steps
    }

    /// The one form of it. Numbers are in Swift's shortest form, parameters in the order of their names.
    var bytes: [UInt8] {
        var text = "rawmill-look \(Self.version)\nname \(name)\nsummary \(summary)\n"
        var tables: [UInt8] = []
        for step in steps {
            switch step.material {
            case .look(let name): text += "step look \(name)"
            case .effect(let name): text += "step effect \(name)"
            case .table(let bytes):
                text += "step table \(bytes.count)"
                tables += bytes
            }
            for (key, numbers) in step.parameters.sorted(by: { $0.key < $1.key }) {
                text += " \(key)=\(numbers.map { "\($0 + 0)" }.joined(separator: ":"))"
            }
            text += "\n"
        }
        return Array(text.utf8) + Array("\n".utf8) + tables
    }

    /// Reads that form, and no other.
    ///
    /// - Throws: `LookError` that names the line.
    init(_ bytes: [UInt8]) throws(LookError) {
        var lines: [String] = []
        var place = 0
        // The lines end with an empty one.
        while place < bytes.count, bytes[place] != 0x0A {
            guard let end = bytes[place...].firstIndex(of: 0x0A), lines.count < Self.maxSteps + 3 else {
                throw LookError("it is cut off")
            }
            lines.append(String(decoding: bytes[place..<end], as: UTF8.self))
            place = end + 1
        }
        place += 1
        func rest(_ index: Int, _ word: String) throws(LookError) -> String {
            guard lines.indices.contains(index), lines[index].hasPrefix(word + " ") else {
                throw LookError("line \(index + 1) is to begin with \(word)")
            }
            return String(lines[index].dropFirst(word.count + 1))
        }
        guard try rest(0, "rawmill-look") == Self.version else {
            throw LookError("it is of a newer version of Rawmill. Upgrade this one")
        }
        let (name, summary) = (try rest(1, "name"), try rest(2, "summary"))
        guard !name.isEmpty, Look.name(fromFile: name) == name else {
            throw LookError("line 2: a name has 1 to 64 of a-z, 0-9 and -")
        }
        var steps: [LookStep] = []
        for index in 3..<max(lines.count, 3) {
            let words = try rest(index, "step").split(separator: " ").map(String.init)
            guard words.count >= 2 else { throw LookError("line \(index + 1) has no step") }
            let material: LookStep.Material
            switch words[0] {
            case "look": material = .look(words[1])
            case "effect": material = .effect(words[1])
            case "table":
                guard let count = Int(words[1]), count >= 0, place <= bytes.count, count <= bytes.count - place else {
                    throw LookError("line \(index + 1): its table is cut off")
                }
                material = .table(Array(bytes[place..<place + count]))
                place += count
            default: throw LookError("line \(index + 1): there is no step \(words[0])")
            }
            var parameters: [String: [Double]] = [:]
            for word in words.dropFirst(2) {
                let (key, numbers) = try Self.parameter(word)
                parameters[key] = numbers
            }
            steps.append(LookStep(material: material, parameters: parameters))
        }
        self.init(name: name, summary: summary, steps: steps)
        guard self.bytes == bytes else { throw LookError("it is not in the form that Rawmill writes") }
    }

    /// `key=1:0:0`.
    static func parameter(_ text: String) throws(LookError) -> (String, [Double]) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let numbers = parts.count == 2 ? parts[1].split(separator: ":").map { Double($0) } : []
        guard parts.count == 2, !parts[0].isEmpty, !numbers.isEmpty, numbers.count <= 16,
            numbers.allSatisfy({ $0?.isFinite == true })
        else { throw LookError("\(text) is no parameter: write name=number") }
        return (String(parts[0]), numbers.compactMap { $0 })
    }
}

extension Look {
    /// A look that is made of steps.
    ///
    /// - Parameter definition: bytes that ``LookSteps`` gave.
    /// - Throws: `LookError`.
    init(_ definition: LookDefinition) throws(LookError) {
        var film: (film: Film, share: Float)?
        var effects: [any ColourEffect] = []
        var text = definition.bytes
        guard !definition.steps.isEmpty else { throw LookError("it has no steps") }
        for step in definition.steps {
            // A name stands for what it means here.
            if case .look(let name) = step.material, let look = try? LookCatalogue.builtIn.look(name) {
                text += Array("\(look.digest)".utf8)
            }
            switch try step.made() {
            case .film(let next, let share):
                guard film == nil, effects.isEmpty else {
                    throw LookError("a film comes first, and there is only one: it takes the scene's light")
                }
                film = (next, share)
            case .effect(let effect): effects.append(effect)
            }
        }
        self.init(
            name: definition.name, version: 1, summary: definition.summary, film: film?.film,
            filmShare: film?.share ?? 1, definition: text,
            effect: effects.isEmpty ? IdentityStage() : EffectChain(effects: effects))
    }
}
