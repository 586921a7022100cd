internal import Glibc

extension Root {
    /// Whether a name is that of a temporary file.
    public static func isTemporary(_ name: [UInt8]) -> Bool { TemporaryName.matches(name) }

    /// Removes temporary files below a folder whose writers have ended. Running writers hold locks on theirs. Does not
    /// follow links. Returns the number of removed files.
    public func sweepTemporaries(below path: [UInt8] = []) throws(StorageError) -> Int {
        var removed = 0
        var folders = [path]
        while let folder = folders.popLast() {
            var found: [[UInt8]] = []
            try forEachEntry(of: folder) { entry in
                let full = folder.isEmpty ? entry.name : folder + [UInt8(ascii: "/")] + entry.name
                if entry.kind == .folder { folders.append(full) }
                if entry.kind == .file, TemporaryName.matches(entry.name) { found.append(full) }
            }
            for file in found where try isAbandoned(file) {
                if try remove(file) { removed += 1 }
            }
        }
        return removed
    }

    private func isAbandoned(_ path: [UInt8]) throws(StorageError) -> Bool {
        do throws(StorageError) {
            let file = try open(path, "look at", flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
            return flock(file.number, LOCK_EX | LOCK_NB) == 0
        } catch {
            if error.kind == .notFound { return false }
            throw error
        }
    }
}
