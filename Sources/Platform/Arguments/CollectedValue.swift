/// One value of an option that can be given many times.
public struct CollectedValue<Element: ArgumentValue>: Sendable {
    /// The value.
    public let value: Element
    /// Where it was given.
    public let origin: RawArgument.Origin

    /// A value as if it was given there.
    public init(value: Element, origin: RawArgument.Origin) {
        self.value = value
        self.origin = origin
    }
}

extension Parameter {
    /// `--name VALUE`, any number of times.
    ///
    /// The values of the settings file come first, then those of the environment, then those of the command line. If
    /// two values contradict each other, the command should use the later one.
    ///
    /// - Parameters:
    ///   - name: without dashes.
    ///   - short: the letter of the short form.
    ///   - placeholder: the value's name in the help.
    ///   - environment: a variable that holds values separated by `;`.
    ///   - group: the option's heading in the help; empty for the usual one.
    ///   - isHidden: whether help and completion leave it out.
    ///   - completion: what a shell completes the value to; nil for nothing.
    ///   - help: one or more sentences.
    public static func collected<Element: ArgumentValue>(
        _ name: String, short: Character? = nil, _ placeholder: String, environment: String? = nil, group: String = "",
        isHidden: Bool = false, completion: Declaration.Completion? = nil, help: String
    ) -> Parameter where Value == [CollectedValue<Element>] {
        let declaration = Declaration(
            kind: .option(placeholder: placeholder), name: name, short: short, help: help, group: group,
            isHidden: isHidden, isCollected: true, environment: environment, completion: completion)
        return Parameter(declaration) { given throws(UsageError) in
            var elements: [CollectedValue<Element>] = []
            for one in given { elements.append(CollectedValue(value: try one.value(nil), origin: one.origin)) }
            return elements
        }
    }
}
