/// Reads what Swift source says it imports.
enum Imports {
    /// The top modules of a file's `import` lines: `import struct A.B` names `A`. Lines inside a `/* … */` or a
    /// multi-line string count too: better one false alarm than one import overlooked.
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
        return words.first.map { String($0.prefix { $0 != "." && $0 != "/" }) }
    }
}

/// A breach of the table, as a line for the test's report.
struct Breach: Hashable, CustomStringConvertible {
    let room: String
    let file: String
    let module: String

    var description: String { "\(room) must not import \(module) (\(file))" }

    /// What the files of a room import beyond what it may.
    static func find(in files: [(name: String, source: String)], of room: Room) -> [Breach] {
        files.flatMap { file in
            Imports.modules(in: file.source).subtracting(room.mayImport).subtracting(House.ground).subtracting([
                room.name
            ])
            .sorted().map { Breach(room: room.name, file: file.name, module: $0) }
        }
    }
}
