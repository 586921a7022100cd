internal import Concurrency
public import Jobs
public import Manifests
public import Storage

/// A file to read, and the question about it.
public struct MetadataRequest: Sendable {
    enum Place: Sendable {
        case path([UInt8], Root)
        case open(OpenFile)
    }

    let place: Place
    let question: MetadataQuestion

    /// - Parameter path: below the root.
    public init(_ question: MetadataQuestion, about path: RelativePath, in root: Root) {
        place = .path(path.bytes, root)
        self.question = question
    }

    /// For an open file, which may have no name.
    public init(_ question: MetadataQuestion, about file: OpenFile) {
        place = .open(file)
        self.question = question
    }

    func opened() throws(StorageError) -> OpenFile {
        switch place {
        case .path(let path, let root): try OpenFile(path, in: root)
        case .open(let file): file
        }
    }
}

/// No metadata process could be started. No photo is to blame.
public struct MetadataReaderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as a clause without a full stop.
    public let description: String
    /// Whether the program is not installed. The description then contains the remedy.
    public let isProgramMissing: Bool
}

/// A ``BlockingMetadataReader`` with its own thread.
public actor MetadataReader {
    private let executor = ThreadExecutor(name: "metadata-reader")
    /// The thread that starts the process must live as long as the process.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the executor as long as it lives.
        unsafe executor.asUnownedSerialExecutor()
    }

    private let reader: BlockingMetadataReader

    /// Does not start a process yet. The parameters are those of ``BlockingMetadataReader``.
    public init(program: String, library: String, deadline: Duration = .seconds(30)) {
        reader = BlockingMetadataReader(program: program, library: library, deadline: deadline)
    }

    /// The answers, in the order of the requests. Throws if no process can be started.
    public func read(_ requests: [MetadataRequest]) throws(MetadataReaderError) -> [MetadataAnswer] {
        try reader.read(requests)
    }
}
