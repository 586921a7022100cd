internal import CLensfun
internal import Digest
internal import Storage

/// Identity of this machine's Lensfun database. A table made from the same database is reused.
struct DatabaseIdentity: Equatable {
    /// Digest of the names, sizes and times of all files that liblensfun may read, and of the table's form.
    let digest: SHA256Value

    /// - Parameters:
    ///   - folders: folders that liblensfun searches.
    ///   - form: name of the table's form.
    init(folders: [String], form: [UInt8]) {
        var facts: [UInt8] = []
        func add(_ number: Int) { facts += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        func add(_ bytes: [UInt8]) {
            add(bytes.count)
            facts += bytes
        }
        add(form)
        for version in [LF_VERSION_MAJOR, LF_VERSION_MINOR, LF_VERSION_MICRO, LF_VERSION_BUGFIX] { add(Int(version)) }
        for folder in folders {
            add(Array(folder.utf8))
            let files = Self.files(of: folder)
            add(files.count)
            for (name, file) in files {
                add(name)
                add(Int(clamping: file.sizeBytes))
                add(Int(file.modifiedNanoseconds))
            }
        }
        digest = SHA256Value(of: facts)
    }

    /// The files of a folder, by name; empty if there is no folder.
    private static func files(of folder: String) -> [([UInt8], FileFacts)] {
        guard let root = try? Root(path: folder), let entries = try? root.entries(of: []) else { return [] }
        return entries.compactMap { entry in
            let path = Array("\(folder)/".utf8) + entry.name
            guard let facts = try? FileFacts(absolutePath: path), facts.kind == .file else { return nil }
            return (entry.name, facts)
        }
    }

    /// Folders that liblensfun 0.3 searches: the distribution's, the updates of `lensfun-update-data` for the system or
    /// the user, and the user's own.
    ///
    /// - Parameter userData: folder of this user's program data.
    static func folders(userData: String) -> [String] {
        [
            "/usr/share/lensfun/version_1", "/var/lib/lensfun-updates/version_1",
            "\(userData)/lensfun/updates/version_1", "\(userData)/lensfun",
        ]
    }
}
