/// A command's parameters as its help and its manual list them: a section for each group, in the order in which the groups
/// first occur.
struct ParameterSections {
    private(set) var sections: [(title: String, lines: [String])] = []

    /// - Parameters:
    ///   - path: the commands from the root to the one that is shown.
    ///   - help: the lines of `--help`.
    ///   - version: the lines of `--version`, which only the root has.
    ///   - item: the lines of a parameter.
    init(
        of path: [Command], in program: Program, help: [String], version: [String], item: (Declaration) -> [String]
    ) {
        for declaration in (path.last ?? program.root).shownDeclarations {
            let usual = declaration.isPositional ? "Arguments" : "Options"
            add(declaration.group.isEmpty ? usual : declaration.group, item(declaration))
        }
        for parameter in program.shared where !parameter.declaration.isHidden {
            add("Everywhere", item(parameter.declaration))
        }
        add("Everywhere", help)
        if path.count == 1 { add("Everywhere", version) }
    }

    private mutating func add(_ title: String, _ lines: [String]) {
        if let index = sections.firstIndex(where: { $0.title == title }) {
            sections[index].lines += lines
        } else {
            sections.append((title, lines))
        }
    }
}
