internal import Glibc

extension Root {
    /// True for the name of a file that a writer has not finished, or left behind.
    public static func isTemporary(_ name: [UInt8]) -> Bool { TemporaryName.matches(name) }

    /// Removes what killed writers left behind below a folder, and returns how many files that were.
    ///
    /// A temporary file whose writer lives is locked and stays. Links inside are not followed.
    public func sweepTemporaries(below path: [UInt8] = []) throws(StorageError) -> Int {
        var removed = 0
        var folders = [path]
        while let folder = folders.popLast() {
            var stale: [[UInt8]] = []
            try forEachEntry(of: folder) { entry in
                let full = folder.isEmpty ? entry.name : folder + [UInt8(ascii: "/")] + entry.name
                if entry.kind == .folder { folders.append(full) }
                if entry.kind == .file, TemporaryName.matches(entry.name) { stale.append(full) }
            }
            for file in stale where try isStale(file) {
                if try remove(file) { removed += 1 }
            }
        }
        return removed
    }

    private func isStale(_ path: [UInt8]) throws(StorageError) -> Bool {
        do throws(StorageError) {
            let file = try open(path, "look at", flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
            return flock(file.number, LOCK_EX | LOCK_NB) == 0
        } catch {
            if error.kind == .notFound { return false }
            throw error
        }
    }
}
