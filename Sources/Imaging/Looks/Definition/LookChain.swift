/// A look as written on a command line: names joined by `+`, each with its parameters in brackets.
///
/// `velvet(push=0.5)+CISepiaTone(intensity=0.3)+grade.cube`
public struct LookChain: Sendable, Equatable {
    /// A step as written.
    public struct Step: Sendable, Equatable {
        /// Name of a look or effect, or a path.
        public let name: String
        /// Parameters by name.
        public var parameters: [String: [Double]]

        /// Creates a step from name and parameters.
        public init(name: String, parameters: [String: [Double]]) {
            self.name = name
            self.parameters = parameters
        }
    }

    /// Steps in the order of their application.
    public var steps: [Step]

    /// - Throws: `LookError` for unbalanced brackets and invalid parameters.
    public init(_ text: String) throws(LookError) {
        var steps: [Step] = []
        for part in Self.parts(text) {
            guard let open = part.firstIndex(of: "(") else {
                steps.append(Step(name: part, parameters: [:]))
                continue
            }
            guard part.last == ")" else { throw LookError("\(part) has an unmatched bracket") }
            var parameters: [String: [Double]] = [:]
            for word in part[part.index(after: open)...].dropLast().split(separator: ",") {
                let (key, numbers) = try LookDefinition.parameter(word.filter { $0 != " " })
                parameters[key] = numbers
            }
            steps.append(Step(name: String(part[..<open]), parameters: parameters))
        }
        guard !steps.isEmpty, steps.allSatisfy({ !$0.name.isEmpty }) else { throw LookError("a look has no name") }
        self.steps = steps
    }

    /// Splits at each `+` outside brackets.
    private static func parts(_ text: String) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == "+", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    /// Whether the chain is only a name or a path.
    public var isPlain: Bool {
        steps.count == 1 && steps[0].parameters.isEmpty && CoreImageEffect.named(steps[0].name) == nil
    }

    /// The bytes of the look, which ``Look/init(file:fileName:)`` reads.
    ///
    /// Its name consists of the steps' names and their parameters.
    ///
    /// A user's own look is expanded to its steps, so that a later change of the look does not affect the result.
    ///
    /// - Parameters:
    ///   - own: the bytes of users' own looks, by name.
    ///   - table: reads the table at a path.
    /// - Throws: `LookError` for an unknown step or an unsupported parameter.
    public func definition(
        own: [String: [UInt8]] = [:], table: (String) throws(LookError) -> [UInt8]
    ) throws(LookError) -> [UInt8] {
        var made: [LookStep] = []
        var words: [String] = []
        for step in steps {
            let materials: [LookStep]
            var word: String
            if let bytes = own[step.name] {
                materials = try Self.steps(of: bytes, name: step.name, told: step.parameters)
                word = Look.name(fromFile: step.name)
            } else if let effect = CoreImageEffect.named(step.name) {
                materials = [LookStep(material: .effect(effect.name), parameters: step.parameters)]
                word = effect.name
            } else if Look.tableEndings.contains(where: step.name.lowercased().hasSuffix) {
                materials = [LookStep(material: .table(try table(step.name), .sRGB), parameters: step.parameters)]
                word = Look.name(fromFile: step.name)
            } else {
                do throws(UnknownLook) {
                    let look = try LookCatalogue.builtIn.look(step.name)
                    materials = [LookStep(material: .look(look.identifier), parameters: step.parameters)]
                    word = look.name
                } catch { throw LookError(error.description) }
            }
            for (key, numbers) in step.parameters.sorted(by: { $0.key < $1.key }) {
                word += "-\(key)" + numbers.map(CoreImageEffect.Parameter.text).joined(separator: "-")
            }
            words.append(word)
            made += materials
        }
        let name = Look.name(fromFile: words.joined(separator: "-"))
        let definition = LookDefinition(name: name, summary: "Made of \(words.joined(separator: ", ")).", steps: made)
        _ = try Look(definition)
        return definition.bytes
    }

    /// Expands a user's own look. Parameters from the chain override its only step's, or, for film parameters, those of
    /// the film it begins with.
    private static func steps(
        of bytes: [UInt8], name: String, told: [String: [Double]]
    ) throws(LookError) -> [LookStep] {
        guard LookFile.isDefinition(bytes) else {
            return [LookStep(material: .table(bytes, .sRGB), parameters: told)]
        }
        var steps = try LookDefinition(bytes).steps
        let films = Set(LookStep.filmParameters.map(\.name))
        guard let first = steps.first, steps.count == 1 || films.isSuperset(of: told.keys) else {
            throw LookError("\(name) has several steps; only its film takes parameters: push, grain, halation")
        }
        if told.isEmpty { return steps }
        steps[0] = LookStep(material: first.material, parameters: first.parameters.merging(told) { $1 })
        return steps
    }
}

extension Look {
    /// Creates a look from a file: the steps of ``LookChain`` or ``LookFile``, a `.cube` table, or a Hald picture.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - fileName: source of a table's name.
    /// - Throws: `LookError` with problem and place.
    public init(file bytes: [UInt8], fileName: String) throws(LookError) {
        if LookFile.isDefinition(bytes) {
            self = try Look(LookDefinition(bytes))
        } else {
            try self.init(table: bytes, fileName: fileName)
        }
    }
}
