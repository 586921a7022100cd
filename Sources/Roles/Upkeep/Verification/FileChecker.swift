internal import Concurrency
internal import Digest
internal import Jobs
internal import LibraryTables
internal import Storage

struct FileExpectation: Sendable {
    enum Content: Sendable {
        case digest(SHA256Value)
        case size(UInt64)
        /// The expected content of a name in `photos/`.
        case shown(ShownPhoto, hashes: Bool)
    }

    let root: Root
    let path: RelativePath
    let content: Content

    var readsContent: Bool {
        switch content {
        case .digest: true
        case .size: false
        case .shown(_, let hashes): hashes
        }
    }

    /// The number of bytes read to find a file in this state.
    func readBytes(of state: FileState) -> UInt64 {
        if case .size = content { return 0 }
        if case .good(let bytes) = state { return bytes }
        return 0
    }
}

enum FileState: Hashable, Sendable {
    /// As expected; with the number of checked bytes.
    case good(bytes: UInt64)
    /// A hard link to its object, from version 0.1.0: a program that writes to it changes the object.
    case shared
    case missing
    /// A program has written to it.
    case changed
    /// Other bytes, although its times show no write.
    case damaged
    case unreadable(String)
}

/// Hashes files on a separate thread, so that several checkers use several processors.
actor FileChecker {
    private let executor = ThreadExecutor(name: "file-checker")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps its executor alive.
        unsafe executor.asUnownedSerialExecutor()
    }

    func check(_ expectations: [FileExpectation]) -> [FileState] { expectations.map(state) }

    private func state(_ expected: FileExpectation) -> FileState {
        do throws(StorageError) {
            switch expected.content {
            case .digest(let digest): return try compare(expected, digest)
            case .size(let bytes): return try compare(expected, sizeBytes: bytes)
            case .shown(let photo, let hashes): return try compare(expected, photo, hashes: hashes)
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

    private func compare(
        _ expected: FileExpectation, _ photo: ShownPhoto, hashes: Bool
    ) throws(StorageError) -> FileState {
        guard let found = try expected.root.found(at: expected.path.bytes) else { return .missing }
        guard found.facts.kind == .file else { return .changed }
        // A missing object is a separate finding.
        guard let object = try expected.root.factsIfPresent(of: photo.object.bytes) else { return .good(bytes: 0) }
        if found.facts.id == object.id { return photo.isRaw ? .good(bytes: 0) : .shared }
        let isUntouched = photo.placed?.digest == photo.digest && photo.placed?.matches(found.facts) == true
        guard hashes else {
            return isUntouched || found.facts.sizeBytes == object.sizeBytes ? .good(bytes: 0) : .changed
        }
        guard let digest = try found.digest() else { return .unreadable("it changed while it was read") }
        let wanted: SHA256Value
        if let known = photo.digest {
            wanted = known
        } else {
            wanted = try expected.root.digest(of: photo.object.bytes).digest
        }
        if digest == wanted { return .good(bytes: found.facts.sizeBytes) }
        return isUntouched ? .damaged : .changed
    }
}
