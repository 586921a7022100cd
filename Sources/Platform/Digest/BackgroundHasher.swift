internal import Concurrency
internal import Glibc
internal import Synchronization

/// The SHA-256 of bytes that come piece by piece, computed on a thread of its own while its owner goes on. Where the
/// system has no thread left, it is computed when it is finished.
///
/// It borrows the pieces: the owner keeps their memory alive and unchanged until `finish` returns.
public final class BackgroundHasher {
    private let work = HashingWork()
    private let thread: BackgroundThread
    private var isClosed = false

    /// Starts the thread.
    public init() { thread = BackgroundThread { [work] in work.run() } }

    deinit { finish() }

    /// Adds a piece to the end.
    ///
    /// - Parameter bytes: must stay alive and unchanged until `finish` returns.
    public func add(_ bytes: UnsafeRawBufferPointer) {
        precondition(!isClosed, "the digest is finished")
        if unsafe !bytes.isEmpty { unsafe work.add(bytes) }
    }

    /// The digest of all pieces; waits until they are hashed. It may be called again, but nothing may be added any more.
    @discardableResult
    public func finish() -> SHA256Value {
        if !isClosed {
            isClosed = true
            unsafe work.add(HashingWork.end)
        }
        thread.wait()
        return work.digest
    }
}

/// Pieces that wait to be hashed, and the digest once the last one was. An empty piece is the last.
///
/// `@unchecked Sendable`: the pieces are behind a lock, and `digest` is read only after the thread has ended.
@safe private final class HashingWork: @unchecked Sendable {
    static var end: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

    /// `@unchecked Sendable`: the owner promises that nothing writes to the bytes.
    @safe private struct Piece: @unchecked Sendable {
        let bytes: UnsafeRawBufferPointer
    }

    private let waiting = Mutex<[Piece]>([])
    private let count = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private(set) var digest = SHA256Value(of: [])

    init() { unsafe sem_init(count, 0, 0) }

    deinit {
        unsafe sem_destroy(count)
        unsafe count.deallocate()
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        waiting.withLock { unsafe $0.append(Piece(bytes: bytes)) }
        unsafe sem_post(count)
    }

    func run() {
        var hasher = SHA256Hasher()
        while true {
            let bytes = unsafe next()
            if unsafe bytes.isEmpty { break }
            unsafe hasher.update(bytes)
        }
        digest = hasher.finish()
    }

    private func next() -> UnsafeRawBufferPointer {
        // A signal may interrupt the wait.
        while unsafe sem_wait(count) != 0 {}
        return unsafe waiting.withLock { unsafe $0.removeFirst().bytes }
    }
}
