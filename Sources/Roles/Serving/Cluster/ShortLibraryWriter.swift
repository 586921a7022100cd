internal import Concurrency
internal import LibraryTables
internal import PhotoTree

/// Changes a library on a server while its cataloguers run, one change after the other, on a separate thread.
actor ShortLibraryWriter {
    private let executor = ThreadExecutor(name: "library-visitor")
    /// The actor keeps its executor alive.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens the library for one change, so that an open page does not block commands that need exclusive use. Throws
    /// `LibraryError`; errors of `body`.
    func change<Value: Sendable>(
        _ folder: String, _ body: @Sendable (LibraryStore) throws -> Value
    ) throws -> Value {
        try body(LibraryStore(folder: folder, mode: .visit))
    }
}
