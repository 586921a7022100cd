internal import CFiles
public import Digest
internal import Glibc

/// A file that has a name which people use too.
public struct FoundFile {
    /// The facts of the entry itself: a link is a link.
    public let facts: FileFacts
    private let location: EntryLocation
    private let path: [UInt8]

    init(_ location: EntryLocation, _ path: [UInt8]) throws(StorageError) {
        self.location = location
        self.path = path
        facts = try location.facts("look at", path)
    }

    /// The SHA-256 of the file's bytes; nil for anything but a file, and for one that changes meanwhile.
    ///
    /// - Throws: `StorageError` where it cannot be read, which says nothing about whose file it is.
    public func digest() throws(StorageError) -> SHA256Value? {
        guard let file = try open(location, "read"), try file.facts("read", path).isUnchanged(since: facts) else {
            return nil
        }
        let digest = try file.digest(path)
        return try file.facts("read", path).isUnchanged(since: facts) ? digest : nil
    }

    /// The digest; nil as well where this file alone cannot be read, for a bad sector or for want of a right. For callers that
    /// leave such a file alone and go on with others.
    ///
    /// - Throws: `StorageError` where no file of the storage can be read.
    public func digestIfReadable() throws(StorageError) -> SHA256Value? {
        do throws(StorageError) { return try digest() } catch {
            if error.isStorageGone { throw error }
            return nil
        }
    }

    /// True if the entry is still this file with the same bytes, and no process has it open for writing.
    ///
    /// - Throws: `StorageError` where the disk or its server failed.
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

    /// Opens the entry; nil if it is gone, or is no file.
    private func open(_ location: EntryLocation, _ action: String) throws(StorageError) -> Descriptor? {
        let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY
        let number = openat(location.folder.number, location.name, flags)
        guard number >= 0 else {
            let error = StorageError(errno: errno, action, path)
            // A link is not followed.
            if error.kind == .notFound || error.kind == .pathEscapesRoot { return nil }
            throw error
        }
        let file = Descriptor(owning: number)
        guard try file.facts(action, path).kind == .file else { return nil }
        return file
    }
}
