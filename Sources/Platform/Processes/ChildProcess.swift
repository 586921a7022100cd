internal import CProcesses
internal import Glibc
internal import Synchronization

/// How a process ended.
public enum ProcessEnd: Hashable, Sendable {
    case exited(status: Int32)
    case signalled(Int32)
}

/// A process could not be started.
public struct SpawnError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system's error number (`errno`).
    public let code: Int32

    /// The system's text for the error.
    public var description: String { unsafe String(cString: strerror(code)) }
}

/// A running child process. Killed and reaped at the latest when the value is destroyed.
public struct ChildProcess: ~Copyable {
    /// The process id.
    public let pid: Int32
    private let killHandle: KillHandle

    /// Lets other threads kill the process. The handle forgets the pid before the process is reaped, so it never hits
    /// another process that reuses it.
    public final class KillHandle: Sendable {
        private let pid = Mutex<pid_t?>(nil)

        /// A handle without a process.
        public init() {}

        /// The running process, which may end at any moment.
        public var running: Int32? { pid.withLock { $0 } }

        /// Kills the running process, if any.
        public func kill() { pid.withLock { if let pid = $0 { Glibc.kill(pid, SIGKILL) } } }

        fileprivate func set(_ new: pid_t) { pid.withLock { $0 = new } }

        /// - Returns: false if the process was forgotten before.
        fileprivate func killAndForget(_ target: pid_t) -> Bool {
            pid.withLock { pid in
                guard pid == target else { return false }
                Glibc.kill(target, SIGKILL)
                pid = nil
                return true
            }
        }
    }

    /// Starts a program with the null device as standard input and output.
    ///
    /// The kernel may tie the child's life to the calling thread (see ``CurrentProcess/endWithParent(_:)``), so that
    /// thread must live as long as the child should.
    ///
    /// - Parameters:
    ///   - passing: which environment variables the child inherits, by name.
    ///   - channel: becomes the child's descriptor 3; stays open here.
    ///   - inheritsStandardError: false for the null device.
    /// - Throws: `SpawnError` with the system's error number.
    public static func start(
        program: String, arguments: [String], channel: Int32, inheritsStandardError: Bool, killHandle: KillHandle,
        passing: (_ variable: String) -> Bool = { _ in true }
    ) throws(SpawnError) -> ChildProcess {
        // Copies, because C keeps the pointers only for the call.
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

    /// Lets the kernel kill the process with SIGXCPU once it has used this much processor time since its start. Best
    /// effort: there is no limit if the kernel refuses.
    public func limitProcessorTime(_ time: Duration) {
        _ = rawmill_limit_processor_time(pid, UInt64(clamping: time.components.seconds) + 1)
    }

    /// Kills the process and reaps it.
    public consuming func kill() -> ProcessEnd { end() }

    /// Waits for a process that is about to exit; kills it after half a second.
    public consuming func wait() -> ProcessEnd {
        for _ in 0..<100 {
            var info = unsafe siginfo_t()
            let result = unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT)
            if unsafe result != 0 || info.si_signo != 0 { break }
            usleep(5000)
        }
        return end()
    }

    /// Kills and reaps the process on the first call; later calls do nothing.
    private func end() -> ProcessEnd {
        guard killHandle.killAndForget(pid) else { return .exited(status: -1) }
        var status: Int32 = 0
        while unsafe waitpid(pid, &status, 0) < 0 {
            if errno != EINTR { return .exited(status: -1) }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .signalled(signal)
    }

    /// This process's environment, without Swift's backtraces, on which a crashing child would spend a second.
    private static func environment(_ isPassed: (String) -> Bool) -> [String] {
        var all: [String] = []
        // The array ends with a null pointer, environ(7), and never changes after the start.
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
