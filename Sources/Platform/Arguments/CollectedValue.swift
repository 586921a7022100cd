/// One of the values of an option that can be given many times, and where it was given.
public struct CollectedValue<Element: ArgumentValue>: Sendable {
    public let value: Element
    public let origin: RawArgument.Origin
}

extension Parameter {
    /// `--name VALUE`, any number of times. What the settings file, the environment and the command line give is put
    /// together, in this order: whoever reads it lets the later one of two that contradict each other count.
    ///
    /// - Parameter environment: a variable that holds such values with a `;` between them.
    public static func collected<Element: ArgumentValue>(
        _ name: String, _ placeholder: String, environment: String? = nil, group: String = "",
        completion: Declaration.Completion? = nil, help: String
    ) -> Parameter where Value == [CollectedValue<Element>] {
        let declaration = Declaration(
            kind: .option(placeholder: placeholder), name: name, help: help, group: group, isCollected: true,
            environment: environment, completion: completion)
        return Parameter(declaration) { given throws(UsageError) in
            var elements: [CollectedValue<Element>] = []
            for one in given { elements.append(CollectedValue(value: try one.value(nil), origin: one.origin)) }
            return elements
        }
    }
}
