/// One value of a repeatable option.
public struct CollectedValue<Element: ArgumentValue>: Sendable {
    /// The value.
    public let value: Element
    /// Where it was given.
    public let origin: RawArgument.Origin

    /// Creates a value.
    public init(value: Element, origin: RawArgument.Origin) {
        self.value = value
        self.origin = origin
    }
}

extension Parameter {
    /// `--name VALUE`, repeatable. `environment` names a variable with values separated by `;`. Values of the settings
    /// file come first, then the environment's, then the command line's. Later values take precedence over
    /// contradicting ones.
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
