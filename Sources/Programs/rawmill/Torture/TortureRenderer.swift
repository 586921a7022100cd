import Glibc
import Jobs
import RenderHost

/// What a poisoned source does to the process that renders it.
enum TorturePoison: String, CaseIterable, Sendable {
    case crash, hang, memory, worker

    /// What the ledger has to say about it in the end.
    var reason: FailureReason {
        switch self {
        case .crash: .decoderCrashed
        case .hang: .timeout
        case .memory: .outOfMemory
        case .worker: .tooManyStarts
        }
    }

    /// The poison's name leads the file's.
    func name(_ file: String) -> String { "\(rawValue)-\(file)" }

    init?(file name: [UInt8]) {
        let word = String(decoding: name.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)
        self.init(rawValue: word)
    }

    func act() {
        switch self {
        case .crash: raise(SIGSEGV)
        case .hang: while true { pause() }
        case .memory: Self.takeMemory()
        case .worker:
            kill(getppid(), SIGKILL)
            while true { pause() }
        }
    }

    /// 32 MiB every 10 ms, every page of it there, until somebody ends it or the system gives no more: on a busy machine,
    /// too, past a worker's limit well before a job's time is up.
    private static func takeMemory() {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE
        while mmap(nil, 32 << 20, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED { usleep(10_000) }
        while true { pause() }
    }
}

/// The hidden subcommand `torture-renderer`: the render process with poison that works. The tortured cluster's workers
/// are told to start it; it is on no other path of the program.
enum TortureRenderer {
    static let command = "torture-renderer"

    /// - Parameter arguments: what the worker starts any render process with.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.first == RenderProcess.command else { return ExitStatus.usage }
        return RenderProcess.run(Array(arguments.dropFirst())) { job in
            TorturePoison(file: job.source.raw.file.path.name)?.act()
        }
    }

    /// A script that starts it, since a worker starts a program without words of ours.
    static func script() throws -> String {
        "#!/bin/sh\nexec \(OtherProgram.quoted(try OwnProgram.path())) \(command) \"$@\"\n"
    }
}
