import Glibc
import Jobs

/// What a poisoned source does to the process that renders it. The start of the file's name says which: `crash-IMG_7.CR2`.
enum Poison: String, CaseIterable, Sendable {
    case crash, hang, memory
    /// Kills the worker with its render process.
    case worker

    /// The reason that the ledger must give for the failed job in the end.
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

    func takeEffect() {
        switch self {
        case .crash: raise(SIGSEGV)
        case .hang: while true { pause() }
        case .memory: Self.takeMemory()
        case .worker:
            kill(getppid(), SIGKILL)
            while true { pause() }
        }
    }

    /// Takes 32 MiB every 10 ms, with every page resident, until the process is ended or the system gives no more. Even on a
    /// busy machine that passes a worker's limit well before the job's time is up.
    private static func takeMemory() {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE
        while mmap(nil, 32 << 20, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED { usleep(10_000) }
        while true { pause() }
    }
}
