internal import CProcesses
internal import Glibc
internal import Synchronization

/// How a process ended.
public enum ProcessEnd: Hashable, Sendable {
    case exited(status: Int32)
    case signalled(Int32)
}

/// A running process. Killed and reaped with the value, if it was not before.
public struct ChildProcess: ~Copyable {
    public let pid: Int32
    private let reaper: Killer

    /// Who may kill the process from another thread. It forgets the number before the process is reaped, so that it
    /// can never hit another one that got the same number.
    public final class Killer: Sendable {
        private let pid = Mutex<pid_t?>(nil)

        public init() {}

        public func kill() { pid.withLock { if let pid = $0 { Glibc.kill(pid, SIGKILL) } } }

        fileprivate func set(_ new: pid_t) { pid.withLock { $0 = new } }

        /// Kills the process and forgets it; false where it was forgotten before.
        fileprivate func killLast(_ wanted: pid_t) -> Bool {
            pid.withLock { pid in
                guard pid == wanted else { return false }
                Glibc.kill(wanted, SIGKILL)
                pid = nil
                return true
            }
        }
    }

    /// Starts the program; the calling thread must live as long as the process should.
    ///
    /// - Parameter channel: becomes the child's descriptor 3; stays open here.
    /// - Returns: nil where the system refuses, with the error's words in `problem`.
    public static func start(
        program: String, arguments: [String], channel: Int32, keepsErrors: Bool, killer: Killer,
        problem: inout String
    ) -> ChildProcess? {
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = Self.environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var pid: pid_t = 0
        let error = rawmill_spawn(program, words, variables, channel, keepsErrors ? 1 : 0, &pid)
        guard error == 0 else {
            problem = String(cString: strerror(error))
            return nil
        }
        killer.set(pid)
        return ChildProcess(pid: pid, reaper: killer)
    }

    deinit { _ = end() }

    /// Kills the process, and waits until it is gone.
    public consuming func kill() -> ProcessEnd { end() }

    /// Waits for a process that is about to end by itself, and kills it when that takes longer than half a second.
    public consuming func wait() -> ProcessEnd {
        for _ in 0..<100 {
            var info = siginfo_t()
            let found = waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT)
            if found != 0 || info.si_signo != 0 { break }
            usleep(5000)
        }
        return end()
    }

    /// The first call kills and reaps; later ones do nothing.
    private func end() -> ProcessEnd {
        guard reaper.killLast(pid) else { return .exited(status: -1) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 {
            if errno != EINTR { return .exited(status: -1) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .signalled(signal)
    }

    /// This process's, without the backtrace a Swift program would print for a second when it crashes.
    private static var environment: [String] {
        var all: [String] = []
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            if !text.hasPrefix("SWIFT_BACKTRACE=") { all.append(text) }
            next += 1
        }
        return all + ["SWIFT_BACKTRACE=enable=no"]
    }
}
