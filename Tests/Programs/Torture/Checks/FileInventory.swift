import Digest
import Glibc
import Storage

/// Users' files and their contents: the check of I11. Rawmill must leave each as it was recorded.
struct FileInventory {
    /// What a name refers to.
    enum Content: Hashable {
        case file(SHA256Value)
        /// A link, by its target.
        case link(String)
        case folder
    }

    /// A name whose content changed.
    struct Difference: Hashable {
        let path: String
        let noted: Content
        /// Nil if the name no longer exists.
        let found: Content?

        var text: String { "\(path) \(found == nil ? "is gone" : "was replaced")" }
    }

    /// By absolute path.
    private(set) var contents: [String: Content] = [:]

    // MARK: - Recording

    /// Records the current content of the name; forgets the name if it does not exist.
    mutating func note(_ path: String) { contents[path] = Self.content(of: path) }

    /// Records content that a user put under a name.
    mutating func note(_ path: String, _ content: Content) { contents[path] = content }

    /// Records every file below a folder.
    mutating func noteFiles(below folder: String) throws {
        for file in try FolderListing.files(below: folder) { note("\(folder)/\(file)") }
    }

    /// Records that the user removed the file.
    mutating func forget(_ path: String) { contents[path] = nil }

    // MARK: - Checking

    func contains(_ path: String) -> Bool { contents[path] != nil }

    /// Whether a name has its recorded content.
    func isUnchanged(_ path: String) -> Bool { contents[path] == Self.content(of: path) }

    /// Differences from the recorded contents, sorted by name.
    ///
    /// If another program takes a name at the very moment in which Rawmill returns it to a user's file, that file gets
    /// a similar name, `IMG_1 (kept 2).jpg`. This is no difference.
    func differences() -> [Difference] {
        contents.sorted { $0.key < $1.key }.compactMap { path, noted in
            let found = Self.content(of: path)
            if found == noted || Self.isKept(noted, beside: path) { return nil }
            return Difference(path: path, noted: noted, found: found)
        }
    }

    /// Files below a folder that were not recorded.
    func unknownFiles(below folder: String) throws -> [String] {
        try FolderListing.files(below: folder).map { "\(folder)/\($0)" }.filter { contents[$0] == nil }
    }

    private static func isKept(_ noted: Content, beside path: String) -> Bool {
        let (folder, name) = FolderListing.parts(of: path)
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let (base, ending) = (name[..<dot] + " (kept", name[dot...])
        let names = (try? FolderListing.names(in: folder)) ?? []
        return names.contains {
            $0.hasPrefix(base) && $0.hasSuffix(ending) && content(of: "\(folder)/\($0)") == noted
        }
    }

    /// The content of a name; nil if it does not exist or cannot be read.
    static func content(of path: String) -> Content? {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return nil }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFLNK: return target(of: path).map { .link($0) }
        default:
            let (folder, name) = FolderListing.parts(of: path)
            return (try? Root(path: folder).digest(of: Array(name.utf8)).digest).map { .file($0) }
        }
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(link, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Names in folders.
enum FolderListing {
    /// All entries below a folder except folders, by relative path, sorted.
    static func files(below folder: String) throws -> [String] {
        var found: [String] = []
        try add(try Root(path: folder), [], to: &found)
        return found.sorted()
    }

    /// The names in a folder, in any order.
    static func names(in folder: String) throws -> [String] {
        try Root(path: folder).entries(of: []).map { String(decoding: $0.name, as: UTF8.self) }
    }

    /// Folder and name of an absolute path.
    static func parts(of path: String) -> (folder: String, name: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        return (String(path[..<slash]), String(path[slash...].dropFirst()))
    }

    /// A folder that a role removes meanwhile has no files.
    private static func add(_ root: Root, _ folder: [UInt8], to found: inout [String]) throws {
        let entries: [FolderEntry]
        do throws(StorageError) { entries = try root.entries(of: folder) } catch {
            if error.kind == .notFound, !folder.isEmpty { return }
            throw error
        }
        for entry in entries {
            let path = folder.isEmpty ? entry.name : folder + [UInt8(ascii: "/")] + entry.name
            if entry.kind == .folder {
                try add(root, path, to: &found)
            } else {
                found.append(String(decoding: path, as: UTF8.self))
            }
        }
    }
}
