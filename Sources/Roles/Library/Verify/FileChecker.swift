internal import Digest
internal import Jobs
internal import Manifests
internal import Storage
internal import Concurrency

/// What is asked about a file.
struct FileExpectation: Sendable {
    enum Expectation: Sendable {
        case bytes(SHA256Value)
        case size(UInt64)
        /// It is that file under another name, or has its bytes.
        case object(RelativePath)
    }

    let root: Root
    let path: RelativePath
    let expectation: Expectation
}

enum FileState: Hashable, Sendable {
    case good(bytes: UInt64)
    case missing
    case changed
    case unreadable(String)
}

/// Hashes files on a thread of its own; several of them use several processors.
actor FileChecker {
    private let executor = ThreadExecutor(name: "file-checker")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func check(_ questions: [FileExpectation]) -> [FileState] { questions.map(answer) }

    private func answer(_ question: FileExpectation) -> FileState {
        do throws(StorageError) {
            switch question.expectation {
            case .bytes(let digest): return try compare(question, digest)
            case .size(let bytes): return try compare(question, sizeBytes: bytes)
            case .object(let object): return try compare(question, object)
            }
        } catch {
            switch error.kind {
            case .notFound: return .missing
            case .changed, .wrongKind: return .changed
            default: return .unreadable(error.cause)
            }
        }
    }

    private func compare(_ question: FileExpectation, _ digest: SHA256Value) throws(StorageError) -> FileState {
        let found = try question.root.identity(of: question.path.bytes)
        return found.digest == digest ? .good(bytes: found.facts.sizeBytes) : .changed
    }

    private func compare(_ question: FileExpectation, sizeBytes: UInt64) throws(StorageError) -> FileState {
        let facts = try question.root.facts(of: question.path.bytes)
        return facts.kind == .file && facts.sizeBytes == sizeBytes ? .good(bytes: sizeBytes) : .changed
    }

    private func compare(_ question: FileExpectation, _ object: RelativePath) throws(StorageError) -> FileState {
        let facts = try question.root.facts(of: question.path.bytes)
        // A missing object is a finding of its own.
        guard let original = try question.root.factsIfPresent(of: object.bytes) else { return .good(bytes: 0) }
        if facts.device == original.device, facts.inode == original.inode { return .good(bytes: 0) }
        // Without hard links the photo is a copy.
        guard facts.links == 1, facts.sizeBytes == original.sizeBytes else { return .changed }
        return try compare(question, try question.root.identity(of: object.bytes).digest)
    }
}
