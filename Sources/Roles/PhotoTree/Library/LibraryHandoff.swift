internal import LibraryTables
internal import Synchronization

/// Passes an open library to the task that writes to it, so that the caller does not wait while it opens.
public final class LibraryHandoff: Sendable {
    private let store: Mutex<LibraryStore?>

    /// Opens the library for writing; creates a missing one.
    ///
    /// - Throws: `LibraryError`.
    public init(folder: String) throws {
        store = Mutex(try LibraryStore(folder: folder, mode: .write))
    }

    /// The library on the first call; nil afterwards.
    public func take() -> sending LibraryStore? { store.withLock { $0.take() } }
}
