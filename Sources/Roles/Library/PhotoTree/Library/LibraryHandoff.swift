internal import Synchronization

/// Passes an open library from the task that opened it to the task that writes to it. Opening waits for the disk, so
/// that a caller can do other things meanwhile.
public final class LibraryHandoff: Sendable {
    private let store: Mutex<LibraryStore?>

    /// Opens the library in the folder for writing; creates it if there is none.
    ///
    /// - Throws: `LibraryError`.
    public init(folder: String) throws {
        store = Mutex(try LibraryStore(folder: folder, mode: .write))
    }

    /// The library at the first call; nil afterwards.
    public func take() -> sending LibraryStore? { store.withLock { $0.take() } }
}
