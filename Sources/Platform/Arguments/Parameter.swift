/// A parameter of any type, for a command's list of parameters.
public protocol AnyParameter: Sendable {
    /// What the parser, the help and the completion need to know about it.
    var declaration: Declaration { get }

    /// Makes the parameter's value from its arguments.
    ///
    /// - Parameter given: the arguments in the order in which they were given; empty for none.
    /// - Throws: `UsageError` if an argument is invalid, or if a required one is missing.
    func evaluate(_ given: [RawArgument]) throws(UsageError) -> any Sendable
}

/// One argument as it was given, and where.
public struct RawArgument: Hashable, Sendable {
    /// Where an argument came from. The cases are in order of precedence, the highest first.
    public enum Origin: Hashable, Sendable {
        case commandLine, environment, file
    }

    /// The argument. It need not be UTF-8, and a flag's is empty.
    public let bytes: [UInt8]
    /// Where it was given, for messages: `--quality`, `SOURCE…`, `RAWMILL_LOG`, `quality (rawmill.yaml:3:10)`.
    public let location: String
    /// Which of the sources it came from.
    public let origin: Origin

    /// Creates an argument.
    ///
    /// - Parameter location: where it was given, for messages.
    public init(bytes: [UInt8], location: String, origin: Origin = .commandLine) {
        self.bytes = bytes
        self.location = location
        self.origin = origin
    }
}

/// A parameter of a command. It is declared once, and the parser, the help and the completion all use the declaration.
///
///     static let quality: Parameter<UInt32> = .option("quality", "N", default: 92, must: .within(1...100), help: "…")
///
/// If an option is given twice, the last value is used. So a shell alias with options can be overridden.
public struct Parameter<Value: Sendable>: AnyParameter {
    /// What the parser, the help and the completion need to know about it.
    public let declaration: Declaration
    private let read: @Sendable ([RawArgument]) throws(UsageError) -> Value

    init(_ declaration: Declaration, _ read: @escaping @Sendable ([RawArgument]) throws(UsageError) -> Value) {
        self.declaration = declaration
        self.read = read
    }

    /// Makes the parameter's value from its arguments.
    ///
    /// - Parameter given: the arguments in the order in which they were given; empty for none.
    /// - Throws: `UsageError` if an argument is invalid, or if a required one is missing.
    public func evaluate(_ given: [RawArgument]) throws(UsageError) -> any Sendable { try read(given) }
}

extension Parameter where Value == Bool {
    /// `--name`: true if it is given.
    ///
    /// - Parameters:
    ///   - name: without dashes.
    ///   - short: the letter of the short form.
    ///   - group: the option's heading in the help; empty for the usual one.
    ///   - isHidden: whether help and completion leave it out.
    ///   - help: one or more sentences.
    public static func flag(
        _ name: String, short: Character? = nil, group: String = "", isHidden: Bool = false, help: String
    ) -> Parameter {
        Parameter(
            Declaration(kind: .flag, name: name, short: short, help: help, group: group, isHidden: isHidden)
        ) { given throws(UsageError) in !given.isEmpty }
    }
}

extension Parameter where Value: ArgumentValue {
    /// `--name VALUE`, with a default.
    ///
    /// - Parameters:
    ///   - name: without dashes.
    ///   - short: the letter of the short form.
    ///   - placeholder: the value's name in the help.
    ///   - value: the default.
    ///   - rule: what a value must fulfil beyond its type.
    ///   - environment: a variable that is read if the option is not given.
    ///   - group: the option's heading in the help; empty for the usual one.
    ///   - isHidden: whether help and completion leave it out.
    ///   - completion: what a shell completes the value to; nil for the type's choices.
    ///   - help: one or more sentences.
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
    ///
    /// - Parameters:
    ///   - name: without dashes.
    ///   - short: the letter of the short form.
    ///   - placeholder: the value's name in the help.
    ///   - rule: what a value must fulfil beyond its type.
    ///   - environment: a variable that is read if the option is not given.
    ///   - group: the option's heading in the help; empty for the usual one.
    ///   - completion: what a shell completes the value to; nil for the type's choices.
    ///   - help: one or more sentences.
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

    /// A positional argument, which must be given.
    ///
    /// - Parameters:
    ///   - placeholder: its name in the help.
    ///   - rule: what a value must fulfil beyond its type.
    ///   - group: its heading in the help; empty for the usual one.
    ///   - completion: what a shell completes the value to; nil for the type's choices.
    ///   - help: one or more sentences.
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
    /// `--name VALUE`; nil if it is not given.
    ///
    /// - Parameters:
    ///   - name: without dashes.
    ///   - short: the letter of the short form.
    ///   - placeholder: the value's name in the help.
    ///   - rule: what a value must fulfil beyond its type.
    ///   - environment: a variable that is read if the option is not given.
    ///   - group: the option's heading in the help; empty for the usual one.
    ///   - isHidden: whether help and completion leave it out.
    ///   - completion: what a shell completes the value to; nil for the type's choices.
    ///   - help: one or more sentences.
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

    /// All remaining words. Declare it as the last positional parameter of a command.
    ///
    /// - Parameters:
    ///   - placeholder: its name in the help.
    ///   - atLeastOne: whether the command fails without any.
    ///   - group: its heading in the help; empty for the usual one.
    ///   - completion: what a shell completes the value to; nil for the type's choices.
    ///   - help: one or more sentences.
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
    /// The argument as a value of this type that fulfils the rule.
    ///
    /// - Throws: `UsageError` if it is not one.
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
