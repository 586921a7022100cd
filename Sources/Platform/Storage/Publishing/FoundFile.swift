internal import CFiles
public import Digest
internal import Glibc

/// A file whose name is shared with users.
public struct FoundFile {
    /// Of the entry itself: links are not followed.
    public let facts: FileFacts
    private let location: EntryLocation
    private let path: [UInt8]

    init(_ location: EntryLocation, _ path: [UInt8]) throws(StorageError) {
        self.location = location
        self.path = path
        facts = try location.facts("look at", path)
    }

    /// SHA-256 of the file; nil for anything but a regular file, or if it changes meanwhile. Throws `StorageError` if
    /// it cannot be read, which leaves open whose file it is.
    public func digest() throws(StorageError) -> SHA256Value? {
        guard let file = try open(location, "read"), try file.facts("read", path).isUnchanged(since: facts) else {
            return nil
        }
        let digest = unsafe try file.digest(path)
        return try file.facts("read", path).isUnchanged(since: facts) ? digest : nil
    }

    /// Like `digest`, but also nil if only this file is unreadable, because of a bad sector or missing permission. For
    /// callers that skip such files. Throws `StorageError` if the whole storage is unreachable.
    public func digestIfReadable() throws(StorageError) -> SHA256Value? {
        do throws(StorageError) { return try digest() } catch {
            if error.isStorageGone { throw error }
            return nil
        }
    }

    /// Whether the entry is still this file with the same bytes, and no process has it open for writing. Throws
    /// `StorageError` if the disk or its server failed.
    func isStillThere(as location: EntryLocation) throws(StorageError) -> Bool {
        do throws(StorageError) {
            guard let file = try open(location, "look at"), try file.facts("look at", path).isUnchanged(since: facts)
            else { return false }
            return rawmill_has_writer(file.number) == 0
        } catch {
            if error.kind == .unavailable { throw error }
            return false
        }
    }

    /// Opens the entry; nil if it is gone or not a regular file.
    private func open(_ location: EntryLocation, _ action: String) throws(StorageError) -> Descriptor? {
        let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY
        let number = unsafe openat(location.folder.number, location.name, flags)
        guard number >= 0 else {
            let error = StorageError(errno: errno, action, path)
            if error.kind == .notFound || error.kind == .pathEscapesRoot { return nil }
            throw error
        }
        let file = Descriptor(owning: number)
        guard try file.facts(action, path).kind == .file else { return nil }
        return file
    }
}
