internal import Concurrency
internal import Glibc
internal import Synchronization

/// The SHA-256 of bytes that arrive piece by piece, computed on its own thread while its owner goes on. If the system has
/// no thread left, the digest is computed when `value` is read.
public final class BackgroundHasher {
    private let work: HashingWork
    private let thread: BackgroundThread
    private var isEnded = false

    public init() {
        let work = HashingWork()
        self.work = work
        thread = BackgroundThread { work.run() }
    }

    deinit { end() }

    /// - Parameter bytes: must stay as they are until `value` was asked for, or this is gone.
    public func add(_ bytes: UnsafeRawBufferPointer) {
        if !bytes.isEmpty { work.add(bytes) }
    }

    /// Of all that was added, once that is hashed; nothing may be added any more.
    public var value: SHA256Value {
        end()
        return work.digest
    }

    private func end() {
        guard !isEnded else { return }
        isEnded = true
        work.add(HashingWork.end)
        thread.wait()
    }
}

/// Pieces that wait to be hashed, and the digest when the last one was.
/// What is empty comes last.
private final class HashingWork: @unchecked Sendable {
    // Sendable: the pieces are behind a lock, and the digest is looked at only when the thread has ended.
    static var end: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    private struct Piece: @unchecked Sendable {
        // Sendable: nobody writes to the bytes.
        let bytes: UnsafeRawBufferPointer
    }

    private let waiting = Mutex<[Piece]>([])
    private let count = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private(set) var digest = SHA256Value(of: [])

    init() { sem_init(count, 0, 0) }

    deinit {
        sem_destroy(count)
        count.deallocate()
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        waiting.withLock { $0.append(Piece(bytes: bytes)) }
        sem_post(count)
    }

    func run() {
        var hasher = SHA256Hasher()
        while true {
            let bytes = next()
            if bytes.isEmpty { break }
            hasher.update(bytes)
        }
        digest = hasher.finish()
    }

    private func next() -> UnsafeRawBufferPointer {
        // A signal may interrupt it.
        while sem_wait(count) != 0 {}
        return waiting.withLock { $0.removeFirst().bytes }
    }
}
