import Glibc
import Jobs

/// The effect of a poisoned source on the process that renders it, by the start of its file name: `crash-IMG_7.CR2`.
enum Poison: String, CaseIterable, Sendable {
    case crash, hang, memory
    /// Kills the worker with its render process.
    case worker

    /// The final reason of the failed job in the ledger.
    var reason: FailureReason {
        switch self {
        case .crash: .decoderCrashed
        case .hang: .timeout
        case .memory: .outOfMemory
        case .worker: .tooManyStarts
        }
    }

    /// The poisoned file's name: the poison's name before the file's.
    func fileName(_ name: String) -> String { "\(rawValue)-\(name)" }

    /// Nil for a file that is not poisoned.
    init?(fileName name: [UInt8]) {
        self.init(rawValue: String(decoding: name.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self))
    }

    /// - Parameter killer: kills the worker.
    func takeEffect(_ killer: WorkerKiller?) {
        switch self {
        case .crash: raise(SIGSEGV)
        case .hang: break
        case .memory: Self.takeMemory()
        case .worker: killer?.kill()
        }
        while true { sleep(1) }
    }

    /// Takes 512 MiB of resident memory: twice a worker's limit, and no more than the machine can spare. Uses huge
    /// pages if available, so that even a busy machine exceeds the limit long before the job's time is up.
    private static func takeMemory() {
        let byteCount = 512 << 20
        let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { return }
        unsafe madvise(start, byteCount, MADV_HUGEPAGE)
        unsafe memset(start, 1, byteCount)
    }
}
