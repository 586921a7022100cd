/// A command's parameters by section, for help and manual: one section per group, in order of first occurrence.
struct ParameterSections {
    private(set) var sections: [(title: String, lines: [String])] = []

    /// - Parameters:
    ///   - path: commands from the root to the one shown.
    ///   - version: lines of `--version`, which only the root has.
    init(
        of path: [Command], in program: Program, help: [String], version: [String], item: (Declaration) -> [String]
    ) {
        for declaration in (path.last ?? program.root).shownDeclarations {
            let usual = declaration.isPositional ? "Arguments" : "Options"
            add(declaration.group.isEmpty ? usual : declaration.group, item(declaration))
        }
        for parameter in program.shared where !parameter.declaration.isHidden {
            add("Global options", item(parameter.declaration))
        }
        add("Global options", help)
        if path.count == 1 { add("Global options", version) }
    }

    private mutating func add(_ title: String, _ lines: [String]) {
        if let index = sections.firstIndex(where: { $0.title == title }) {
            sections[index].lines += lines
        } else {
            sections.append((title, lines))
        }
    }
}
