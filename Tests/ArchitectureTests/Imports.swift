/// Reads the imports of Swift source.
enum Imports {
    /// The top-level modules of a file's `import` lines: `import struct A.B` names `A`. Lines in `/* … */` and
    /// multi-line strings also count: a false alarm is better than a missed import.
    static func modules(in source: String) -> Set<String> {
        Set(source.split(whereSeparator: \.isNewline).flatMap { $0.split(separator: ";") }.compactMap(module))
    }

    private static let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
    ]

    private static func module(_ statement: Substring) -> String? {
        var words = statement.split(whereSeparator: { $0 == " " || $0 == "\t" })[...]
        while let first = words.first, first.hasPrefix("@") || access.contains(first) { words.removeFirst() }
        guard words.popFirst() == "import" else { return nil }
        if let first = words.first, kinds.contains(first) { words.removeFirst() }
        // A list of modules is Python.
        guard let module = words.first, module.last != "," else { return nil }
        return String(module.prefix { $0 != "." && $0 != "/" })
    }
}
