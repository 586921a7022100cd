internal import Concurrency
internal import Digest
internal import Jobs
internal import Storage

/// What a file has to be.
struct FileExpectation: Sendable {
    enum Content: Sendable {
        /// Bytes with this hash.
        case digest(SHA256Value)
        /// This many bytes.
        case size(UInt64)
        /// A hard link to this object, or a copy of its bytes.
        case object(RelativePath)
    }

    let root: Root
    let path: RelativePath
    let content: Content
}

/// What a check found.
enum FileState: Hashable, Sendable {
    /// As expected; with the number of bytes that the check covered.
    case good(bytes: UInt64)
    case missing
    case changed
    case unreadable(String)
}

/// Hashes files on a thread of its own, so that several checkers use several processors.
actor FileChecker {
    private let executor = ThreadExecutor(name: "file-checker")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the executor as long as it lives.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// The states of the files, in their order.
    func check(_ expectations: [FileExpectation]) -> [FileState] { expectations.map(state) }

    private func state(_ expected: FileExpectation) -> FileState {
        do throws(StorageError) {
            switch expected.content {
            case .digest(let digest): return try compare(expected, digest)
            case .size(let bytes): return try compare(expected, sizeBytes: bytes)
            case .object(let object): return try compare(expected, object)
            }
        } catch {
            switch error.kind {
            case .notFound: return .missing
            case .changed, .wrongKind: return .changed
            default: return .unreadable(error.cause)
            }
        }
    }

    private func compare(_ expected: FileExpectation, _ digest: SHA256Value) throws(StorageError) -> FileState {
        let found = try expected.root.digest(of: expected.path.bytes)
        return found.digest == digest ? .good(bytes: found.facts.sizeBytes) : .changed
    }

    private func compare(_ expected: FileExpectation, sizeBytes: UInt64) throws(StorageError) -> FileState {
        let facts = try expected.root.facts(of: expected.path.bytes)
        return facts.kind == .file && facts.sizeBytes == sizeBytes ? .good(bytes: sizeBytes) : .changed
    }

    private func compare(_ expected: FileExpectation, _ object: RelativePath) throws(StorageError) -> FileState {
        let facts = try expected.root.facts(of: expected.path.bytes)
        // A missing object is a finding of its own.
        guard let original = try expected.root.factsIfPresent(of: object.bytes) else { return .good(bytes: 0) }
        if facts.id == original.id { return .good(bytes: 0) }
        // On a file system without hard links the photo is a copy.
        guard facts.links == 1, facts.sizeBytes == original.sizeBytes else { return .changed }
        return try compare(expected, try expected.root.digest(of: object.bytes).digest)
    }
}
