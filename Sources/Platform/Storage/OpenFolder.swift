internal import Glibc

/// An open folder beneath a root, for work with many of its names: none of them has to be resolved from the root.
public final class OpenFolder: Sendable {
    /// Relative to the root.
    public let path: [UInt8]
    private let descriptor: Descriptor

    init(path: [UInt8], descriptor: consuming Descriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    var number: Int32 { descriptor.number }

    /// Returns when the folder's entries survive a power cut.
    public func sync() throws(StorageError) { try descriptor.sync(path) }
}

extension Root {
    /// Opens a folder; makes it, and those above it, durably, where there are none.
    public func openFolder(_ path: [UInt8]) throws(StorageError) -> OpenFolder {
        do throws(StorageError) { return try existingFolder(path, "open") } catch {
            guard error.kind == .notFound else { throw error }
        }
        try createFolders(path)
        return try existingFolder(path, "open")
    }

    func existingFolder(_ path: [UInt8], _ action: String) throws(StorageError) -> OpenFolder {
        OpenFolder(path: path, descriptor: try open(path, action, flags: O_RDONLY | O_DIRECTORY))
    }
}
