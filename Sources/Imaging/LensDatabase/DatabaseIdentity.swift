internal import CLensfun
internal import Digest
internal import Storage

/// What the Lensfun database of this machine is made of: a table that was made of the same need not be made again.
struct DatabaseIdentity: Equatable {
    /// Of the names, sizes and times of all files that liblensfun may read, and of what makes a table of them.
    let digest: SHA256Value

    /// - Parameters:
    ///   - folders: where liblensfun looks for files.
    ///   - form: names the form of the tables that are made.
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

    /// The files of a folder, by name; none where there is no folder.
    private static func files(of folder: String) -> [([UInt8], FileFacts)] {
        guard let root = try? Root(path: folder), let entries = try? root.entries(of: []) else { return [] }
        return entries.compactMap { entry in
            let path = Array("\(folder)/".utf8) + entry.name
            guard let facts = try? FileFacts(absolutePath: path), facts.kind == .file else { return nil }
            return (entry.name, facts)
        }
    }

    /// The folders in which liblensfun 0.3 looks: the distribution's, what `lensfun-update-data` brought for all or for the
    /// user, and the user's own.
    ///
    /// - Parameter userData: where programs keep the user's data.
    static func folders(userData: String) -> [String] {
        [
            "/usr/share/lensfun/version_1", "/var/lib/lensfun-updates/version_1",
            "\(userData)/lensfun/updates/version_1", "\(userData)/lensfun",
        ]
    }
}
