internal import Synchronization

/// A library that was opened for writing by one task, to be used by another: opening it takes the disk a while, which a
/// caller can spend on other things.
public final class LibraryHandoff: Sendable {
    private let store: Mutex<LibraryStore?>

    /// - Throws: `LibraryError`.
    public init(folder: String) throws { store = Mutex(try LibraryStore(folder: folder, mode: .write)) }

    /// The library, for the first who asks.
    public func take() -> sending LibraryStore? { store.withLock { $0.take() } }
}
