/// The type names that a Swift file declares and uses.
struct TypeNames {
    /// Types visible to other files, declared at top level.
    private(set) var declared: Set<String> = []
    /// Capitalised words in the code that are not members, without the file's private types.
    private(set) var named: Set<String> = []

    private static let kinds: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    private static let modifiers: Set<String> = [
        "import", "private", "fileprivate", "internal", "package", "public", "open", "final", "indirect", "nonisolated",
    ]

    init(in source: String) {
        let tokens = SwiftTokens.words(in: source)
        var hidden: Set<String> = []
        for (index, token) in tokens.enumerated() where token.depth == 0 && !token.isMember {
            guard Self.kinds.contains(token.text), index + 1 < tokens.count else { continue }
            let modifiers = tokens[..<index].reversed().prefix { Self.modifiers.contains($0.text) }.map(\.text)
            if modifiers.contains("import") { continue }
            if modifiers.contains("private") || modifiers.contains("fileprivate") {
                hidden.insert(tokens[index + 1].text)
            } else {
                declared.insert(tokens[index + 1].text)
            }
        }
        named = Set(tokens.filter { !$0.isMember && $0.text.first?.isUppercase == true }.map(\.text))
        named.subtract(hidden)
    }
}

/// The uses between a module's folders: a folder uses another if it names a type that only the other declares.
struct FolderUses {
    /// The type names by using folder and used folder.
    private(set) var names: [String: [String: Set<String>]] = [:]

    /// - Parameter files: of one module, by path below its folder. Files outside of subfolders are in the folder ".".
    init(of files: [(path: String, source: String)]) {
        let read = files.map { file in
            let parts = file.path.split(separator: "/")
            return (folder: parts.count > 1 ? String(parts[0]) : ".", names: TypeNames(in: file.source))
        }
        let declarers = read.reduce(into: [String: Set<String>]()) { declarers, file in
            for name in file.names.declared { declarers[name, default: []].insert(file.folder) }
        }
        for file in read {
            for name in file.names.named {
                guard let owner = declarers[name], owner.count == 1, let other = owner.first, other != file.folder
                else { continue }
                names[file.folder, default: [:]][other, default: []].insert(name)
            }
        }
    }

    /// Groups of folders in which each uses all others, directly or indirectly.
    var circles: [Set<String>] {
        var circles: Set<Set<String>> = []
        for folder in names.keys {
            let circle = reached(from: folder).filter { reached(from: $0).contains(folder) }
            if !circle.isEmpty { circles.insert(circle) }
        }
        return circles.sorted { $0.sorted().lexicographicallyPrecedes($1.sorted()) }
    }

    private func reached(from folder: String) -> Set<String> {
        var found: Set<String> = []
        var open = [folder]
        while let next = open.popLast() {
            for other in names[next, default: [:]].keys where found.insert(other).inserted { open.append(other) }
        }
        return found
    }

    /// The uses within a circle, for reports: "Run → Ledger (Outbox, …)".
    func description(of circle: Set<String>) -> String {
        circle.sorted().flatMap { folder in
            names[folder, default: [:]].filter { circle.contains($0.key) }.sorted { $0.key < $1.key }
                .map { "\(folder) → \($0.key) (\($0.value.sorted().prefix(4).joined(separator: ", ")))" }
        }.joined(separator: "; ")
    }
}
