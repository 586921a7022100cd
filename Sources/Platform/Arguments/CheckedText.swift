extension Parameter where Value == [CollectedValue<String>] {
    /// An option whose values stay texts: for options that are made from a list of settings.
    ///
    /// - Parameters:
    ///   - name: without dashes.
    ///   - short: the letter of the short form.
    ///   - placeholder: the value's name in the help; nil for a flag, whose value is `true`.
    ///   - usual: the default as the help shows it; nil for none.
    ///   - choices: the accepted texts if they are a short list.
    ///   - isCollected: whether all given values are used, and not only the last one.
    ///   - group: the option's heading in the help; empty for the usual one.
    ///   - help: one or more sentences.
    ///   - expected: what is valid, as the end of a sentence that begins with "must be".
    ///   - isValid: whether a text is a value.
    public static func texts(
        _ name: String, short: Character? = nil, _ placeholder: String?, default usual: String? = nil,
        choices: [String] = [], isCollected: Bool = false, group: String = "", help: String, expected: String,
        isValid: @escaping @Sendable (String) -> Bool
    ) -> Parameter {
        let declaration = Declaration(
            kind: placeholder.map { .option(placeholder: $0) } ?? .flag, name: name, short: short, help: help,
            group: group, isCollected: isCollected, defaultText: usual, choices: choices)
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
