internal import Concurrency
internal import LibraryTables
internal import PhotoTree
internal import Synchronization

/// Reads the library on separate threads, several at a time.
final class LibraryReaders: Sendable {
    private actor Reader {
        private let executor = ThreadExecutor(name: "library-reader")
        /// The actor keeps its executor alive.
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
        private var store: LibraryStore?

        func read<Value: Sendable>(
            _ folder: String, _ finder: RenditionFinder, _ body: @Sendable (LibraryStore) throws -> Value
        ) throws -> Value {
            let open = try store ?? LibraryStore(folder: folder, mode: .read, finder: finder)
            store = open
            return try body(open)
        }
    }

    private let folder: String
    private let finder = RenditionFinder()
    private let readers = (0..<3).map { _ in Reader() }
    /// For queries over all photos, so that short queries do not wait for them.
    private let longReaders = (0..<2).map { _ in Reader() }
    private let next = Counter()

    private final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock { value in
                defer { value &+= 1 }; return value
            }
        }
    }

    init(_ folder: String) { self.folder = folder }

    /// - Throws: `LibraryError`; errors of `body`.
    func read<Value: Sendable>(_ body: @Sendable (LibraryStore) throws -> Value) async throws -> Value {
        try await readers[next.next() % readers.count].read(folder, finder, body)
    }

    /// Runs a query that may take a second in a library of a hundred thousand photos. Throws `LibraryError`; errors of
    /// `body`.
    func readLong<Value: Sendable>(_ body: @Sendable (LibraryStore) throws -> Value) async throws -> Value {
        try await longReaders[next.next() % longReaders.count].read(folder, finder, body)
    }
}
