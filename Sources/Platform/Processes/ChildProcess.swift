internal import CProcesses
internal import Glibc
internal import Synchronization

/// How a process ended.
public enum ProcessEnd: Hashable, Sendable {
    case exited(status: Int32)
    case signalled(Int32)
}

/// The system did not start a process.
public struct SpawnError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number (`errno`).
    public let code: Int32

    /// The system's text for the error.
    public var description: String { unsafe String(cString: strerror(code)) }
}

/// A running child process. If it is still running when the value goes, it is killed and reaped.
public struct ChildProcess: ~Copyable {
    /// Its process number.
    public let pid: Int32
    private let killHandle: KillHandle

    /// Lets other threads kill the process. It forgets the process number before the process is reaped, so it can never
    /// hit another process that was given the same number.
    public final class KillHandle: Sendable {
        private let pid = Mutex<pid_t?>(nil)

        /// A handle that holds no process yet.
        public init() {}

        /// The process that runs now. It may end at any moment.
        public var running: Int32? { pid.withLock { $0 } }

        /// Kills the process that runs now, if any.
        public func kill() { pid.withLock { if let pid = $0 { Glibc.kill(pid, SIGKILL) } } }

        fileprivate func set(_ new: pid_t) { pid.withLock { $0 = new } }

        /// Kills the process and forgets it. False if it was forgotten before.
        fileprivate func killAndForget(_ target: pid_t) -> Bool {
            pid.withLock { pid in
                guard pid == target else { return false }
                Glibc.kill(target, SIGKILL)
                pid = nil
                return true
            }
        }
    }

    /// Starts a program. The kernel may tie the child's life to the calling thread (see
    /// ``CurrentProcess/endWithParent(_:)``), so that thread must live as long as the child should.
    ///
    /// Its standard input and output are the null device.
    ///
    /// - Parameters:
    ///   - passing: which of this process's environment variables the child gets, by name.
    ///   - channel: becomes the child's descriptor 3, and stays open here.
    ///   - inheritsStandardError: false makes the child's standard error the null device, too.
    /// - Throws: `SpawnError` with the system's error number.
    public static func start(
        program: String, arguments: [String], channel: Int32, inheritsStandardError: Bool, killHandle: KillHandle,
        passing: (_ variable: String) -> Bool = { _ in true }
    ) throws(SpawnError) -> ChildProcess {
        // Copies that this function frees: C keeps none of them.
        let arguments = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        let environment = unsafe Self.environment(passing).map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
        var pid: pid_t = 0
        let code = unsafe rawmill_spawn(program, arguments, environment, channel, inheritsStandardError ? 1 : 0, &pid)
        guard code == 0 else { throw SpawnError(code: code) }
        killHandle.set(pid)
        return ChildProcess(pid: pid, killHandle: killHandle)
    }

    private init(pid: pid_t, killHandle: KillHandle) {
        self.pid = pid
        self.killHandle = killHandle
    }

    deinit { _ = end() }

    /// Has the kernel end the process with SIGXCPU when it has used so much processor time since its start. Where the kernel
    /// refuses, there is no limit.
    public func limitProcessorTime(_ time: Duration) {
        _ = rawmill_limit_processor_time(pid, UInt64(clamping: time.components.seconds) + 1)
    }

    /// Kills the process and waits until it is gone.
    public consuming func kill() -> ProcessEnd { end() }

    /// Waits for a process that is about to exit by itself. Kills it if that takes longer than half a second.
    public consuming func wait() -> ProcessEnd {
        for _ in 0..<100 {
            var info = unsafe siginfo_t()
            let result = unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT)
            if unsafe result != 0 || info.si_signo != 0 { break }
            usleep(5000)
        }
        return end()
    }

    /// The first call kills and reaps the process; later ones do nothing.
    private func end() -> ProcessEnd {
        guard killHandle.killAndForget(pid) else { return .exited(status: -1) }
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 {
            if errno != EINTR { return .exited(status: -1) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .signalled(signal)
    }

    /// This process's environment, but without Swift's backtraces: a crashing child would spend a second on one.
    private static func environment(_ isPassed: (String) -> Bool) -> [String] {
        var all: [String] = []
        // The array ends with a null pointer, environ(7). Nothing in this program changes it after the start.
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            let text = unsafe String(cString: variable)
            let name = String(text.prefix { $0 != "=" })
            if name != "SWIFT_BACKTRACE", isPassed(name) { all.append(text) }
            unsafe next += 1
        }
        return all + ["SWIFT_BACKTRACE=enable=no"]
    }
}
