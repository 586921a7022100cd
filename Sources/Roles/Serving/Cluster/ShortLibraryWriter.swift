internal import Concurrency
internal import LibraryTables
internal import PhotoTree

/// Changes a library on a server beside its cataloguers, on its own thread, one change after the other.
actor ShortLibraryWriter {
    private let executor = ThreadExecutor(name: "library-visitor")
    /// The actor keeps the executor as long as it lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens the library for one change, so that an open page does not block commands that need it alone.
    ///
    /// - Throws: `LibraryError`; what `body` throws.
    func change<Value: Sendable>(
        _ folder: String, _ body: @Sendable (LibraryStore) throws -> Value
    ) throws -> Value {
        try body(LibraryStore(folder: folder, mode: .visit))
    }
}
