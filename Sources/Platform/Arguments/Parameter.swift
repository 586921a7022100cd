/// A parameter whose type is not known here: what a command's list of them holds.
public protocol AnyParameter: Sendable {
    var declaration: Declaration { get }

    /// The value for what was given, in the order it was given.
    func evaluate(_ given: [RawArgument]) throws(UsageError) -> any Sendable
}

/// One value as it was given, and where.
public struct RawArgument: Hashable, Sendable {
    /// Where values come from; what stands first overrules the rest.
    public enum Origin: Hashable, Sendable {
        case commandLine, environment, file
    }

    public let bytes: [UInt8]
    /// For messages: `--quality`, `SOURCE…`, `RAWMILL_LOG`, `quality (rawmill.yaml:3:10)`.
    public let place: String
    public let origin: Origin

    public init(bytes: [UInt8], place: String, origin: Origin = .commandLine) {
        self.bytes = bytes
        self.place = place
        self.origin = origin
    }
}

/// A parameter of a command, declared once: the parser, the help and the completion all read it.
///
///     static let quality: Parameter<UInt32> = .option("quality", "N", default: 92, must: .within(1...100), help: "…")
///
/// An option given twice counts as it was given last, so that an alias can be overruled.
public struct Parameter<Value: Sendable>: AnyParameter {
    public let declaration: Declaration
    private let read: @Sendable ([RawArgument]) throws(UsageError) -> Value

    init(_ declaration: Declaration, _ read: @escaping @Sendable ([RawArgument]) throws(UsageError) -> Value) {
        self.declaration = declaration
        self.read = read
    }

    public func evaluate(_ given: [RawArgument]) throws(UsageError) -> any Sendable { try read(given) }
}

extension Parameter where Value == Bool {
    /// `--name`: true where it is given.
    public static func flag(
        _ name: String, short: Character? = nil, group: String = "", isHidden: Bool = false, help: String
    ) -> Parameter {
        Parameter(
            Declaration(kind: .flag, name: name, short: short, help: help, group: group, isHidden: isHidden)
        ) { given throws(UsageError) in !given.isEmpty }
    }
}

extension Parameter where Value: ArgumentValue {
    /// `--name VALUE`, with what holds where it is not given.
    public static func option(
        _ name: String, short: Character? = nil, _ placeholder: String, default value: Value,
        must rule: Rule<Value>? = nil,
        environment: String? = nil, group: String = "", isHidden: Bool = false,
        completion: Declaration.Completion? = nil, help: String
    ) -> Parameter {
        let declaration = Declaration(
            kind: .option(placeholder: placeholder), name: name, short: short, help: help, group: group,
            isHidden: isHidden, defaultText: value.argumentText, environment: environment, choices: Value.choices,
            completion: completion)
        return Parameter(declaration) { given throws(UsageError) in try given.last?.value(rule) ?? value }
    }

    /// `--name VALUE`, which must be given.
    public static func required(
        _ name: String, short: Character? = nil, _ placeholder: String, must rule: Rule<Value>? = nil,
        environment: String? = nil, group: String = "", completion: Declaration.Completion? = nil, help: String
    ) -> Parameter {
        let declaration = Declaration(
            kind: .option(placeholder: placeholder), name: name, short: short, help: help, group: group,
            isRequired: true, environment: environment, choices: Value.choices, completion: completion)
        return Parameter(declaration) { given throws(UsageError) in
            guard let last = given.last else { throw UsageError(.missing(declaration)) }
            return try last.value(rule)
        }
    }

    /// A word by its place, which must be given.
    public static func positional(
        _ placeholder: String, must rule: Rule<Value>? = nil, group: String = "",
        completion: Declaration.Completion? = nil, help: String
    ) -> Parameter {
        let declaration = Declaration(
            kind: .positional(placeholder: placeholder, repeats: false), name: placeholder, help: help, group: group,
            isRequired: true, choices: Value.choices, completion: completion)
        return Parameter(declaration) { given throws(UsageError) in
            guard let last = given.last else { throw UsageError(.missing(declaration)) }
            return try last.value(rule)
        }
    }
}

extension Parameter {
    /// `--name VALUE`, nil where it is not given.
    public static func optional<Wrapped: ArgumentValue>(
        _ name: String, short: Character? = nil, _ placeholder: String, must rule: Rule<Wrapped>? = nil,
        environment: String? = nil, group: String = "", isHidden: Bool = false,
        completion: Declaration.Completion? = nil, help: String
    ) -> Parameter where Value == Wrapped? {
        let declaration = Declaration(
            kind: .option(placeholder: placeholder), name: name, short: short, help: help, group: group,
            isHidden: isHidden, environment: environment, choices: Wrapped.choices, completion: completion)
        return Parameter(declaration) { given throws(UsageError) in try given.last?.value(rule) }
    }

    /// All words from some place on; the last positional of a command.
    public static func positionals<Element: ArgumentValue>(
        _ placeholder: String, atLeastOne: Bool = true, group: String = "",
        completion: Declaration.Completion? = nil, help: String
    ) -> Parameter where Value == [Element] {
        let declaration = Declaration(
            kind: .positional(placeholder: placeholder, repeats: true), name: placeholder, help: help, group: group,
            isRequired: atLeastOne, choices: Element.choices, completion: completion)
        return Parameter(declaration) { given throws(UsageError) in
            if atLeastOne, given.isEmpty { throw UsageError(.missing(declaration)) }
            var elements: [Element] = []
            for one in given { elements.append(try one.value(nil)) }
            return elements
        }
    }
}

extension RawArgument {
    func value<Value: ArgumentValue>(_ rule: Rule<Value>?) throws(UsageError) -> Value {
        let value: Value
        do throws(InvalidArgument) {
            value = try Value(argument: bytes)
        } catch {
            throw UsageError(.invalid(given: self, expected: rule?.expected ?? error.expected))
        }
        if let rule, !rule.holds(value) { throw UsageError(.invalid(given: self, expected: rule.expected)) }
        return value
    }
}
