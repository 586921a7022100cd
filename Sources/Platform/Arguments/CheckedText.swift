extension Parameter where Value == [CollectedValue<String>] {
    /// An option whose values stay texts, for options generated from a list of settings.
    ///
    /// - Parameters:
    ///   - placeholder: nil for a flag, whose value is `true`.
    ///   - usual: the default shown in the help.
    ///   - completion: nil for the choices.
    ///   - isCollected: whether all given values count, not only the last.
    ///   - expected: what is valid, completing "must be".
    public static func texts(
        _ name: String, short: Character? = nil, _ placeholder: String?, default usual: String? = nil,
        choices: [String] = [], completion: Declaration.Completion? = nil, isCollected: Bool = false,
        group: String = "", help: String, expected: String,
        isValid: @escaping @Sendable (String) -> Bool
    ) -> Parameter {
        let declaration = Declaration(
            kind: placeholder.map { .option(placeholder: $0) } ?? .flag, name: name, short: short, help: help,
            group: group, isCollected: isCollected, defaultText: usual, choices: choices, completion: completion)
        let rule = Rule(expected, isValid)
        return Parameter(declaration) { given throws(UsageError) in
            guard placeholder != nil else {
                return given.last.map { [CollectedValue(value: "true", origin: $0.origin)] } ?? []
            }
            var values: [CollectedValue<String>] = []
            for one in isCollected ? given : given.suffix(1) {
                values.append(CollectedValue(value: try one.value(rule), origin: one.origin))
            }
            return values
        }
    }
}
