internal import Glibc

/// Removing the temporary files that killed writers left behind.
extension Root {
    /// True for the name of a file that a writer has not finished, or left behind.
    public static func isTemporary(_ name: [UInt8]) -> Bool { TemporaryName.matches(name) }

    /// Removes the temporary files below a folder whose writers are gone.
    ///
    /// A writer locks its temporary file, so the files of living writers stay. Links are not followed.
    ///
    /// - Returns: how many files were removed.
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
