/// A parameter of any type.
public protocol AnyParameter: Sendable {
    /// For the parser, the help and the completion.
    var declaration: Declaration { get }

    /// Makes the parameter's value from its arguments, in order. Throws `UsageError` for an invalid or missing
    /// argument.
    func evaluate(_ given: [RawArgument]) throws(UsageError) -> any Sendable
}

/// An argument as given, with its location.
public struct RawArgument: Hashable, Sendable {
    /// Where an argument came from, in decreasing precedence.
    public enum Origin: Hashable, Sendable {
        case commandLine, environment, file
    }

    /// Need not be UTF-8; empty for a flag.
    public let bytes: [UInt8]
    /// Location for messages: `--quality`, `SOURCE…`, `RAWMILL_LOG`, `quality (rawmill.yaml:3:10)`.
    public let location: String
    /// Where it came from.
    public let origin: Origin

    /// Creates an argument.
    public init(bytes: [UInt8], location: String, origin: Origin = .commandLine) {
        self.bytes = bytes
        self.location = location
        self.origin = origin
    }
}

/// A parameter of a command, declared once for the parser, the help and the completion:
///
///     static let quality: Parameter<UInt32> = .option("quality", "N", default: 92, must: .within(1...100), help: "…")
///
/// The last value of a repeated option counts, so that users can override a shell alias. See ``Declaration`` for the
/// arguments that all kinds of parameters have in common.
public struct Parameter<Value: Sendable>: AnyParameter {
    /// For the parser, the help and the completion.
    public let declaration: Declaration
    private let read: @Sendable ([RawArgument]) throws(UsageError) -> Value

    init(_ declaration: Declaration, _ read: @escaping @Sendable ([RawArgument]) throws(UsageError) -> Value) {
        self.declaration = declaration
        self.read = read
    }

    /// Makes the parameter's value from its arguments, in order. Throws `UsageError` for an invalid or missing
    /// argument.
    public func evaluate(_ given: [RawArgument]) throws(UsageError) -> any Sendable { try read(given) }
}

extension Parameter where Value == Bool {
    /// `--name`: true if given.
    public static func flag(
        _ name: String, short: Character? = nil, group: String = "", isHidden: Bool = false, help: String
    ) -> Parameter {
        Parameter(
            Declaration(kind: .flag, name: name, short: short, help: help, group: group, isHidden: isHidden)
        ) { given throws(UsageError) in !given.isEmpty }
    }
}

extension Parameter where Value: ArgumentValue {
    /// `--name VALUE`, with a default. `environment` names a variable that applies if the option is not given; without
    /// `completion`, shells suggest the type's choices.
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

    /// `--name VALUE`, required.
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

    /// A required positional argument.
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
    /// `--name VALUE`; nil if not given.
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

    /// All remaining words. Declare it last.
    ///
    /// - Parameter atLeastOne: whether the command fails without any.
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
    /// Parses the argument and checks the rule. Throws `UsageError` if it is invalid.
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
