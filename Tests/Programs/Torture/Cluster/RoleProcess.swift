import CommandLineTool
import Glibc
import Processes

/// A role of the tortured cluster: a separate process, with its log in a file.
final class RoleProcess {
    let name: String
    private let arguments: [String]
    private let log: String
    /// A worker's view of the shared folders; nil for other roles.
    let mounts: WorkerMounts?
    private var child: ChildProcess?
    /// Number of starts.
    private(set) var starts = 0
    private var logBytesBefore = 0

    init(_ name: String, _ arguments: [String], log: String, mounts: WorkerMounts? = nil) {
        self.mounts = mounts
        self.name = name
        self.arguments = arguments
        self.log = log
    }

    var pid: Int32? { child?.pid }

    /// Starts or restarts it. A shell, which the role then replaces, appends its standard error to the log.
    ///
    /// - Parameter environment: additional variables, as `NAME=VALUE`.
    func start(environment: [String] = []) throws {
        let program = try RawmillProgram.path()
        logBytesBefore = logBytes
        do throws(SpawnError) {
            child = try ChildProcess.start(
                program: "/bin/sh",
                arguments: ["-c", #"log=$1; shift; exec "$@" 2>>"$log""#, "sh", log, "/usr/bin/env"] + environment
                    + [program] + arguments,
                channel: 2, inheritsStandardError: true, killHandle: ChildProcess.KillHandle())
        } catch {
            throw CommandFailure("\(name) could not be started: \(error)")
        }
        starts += 1
    }

    func send(_ signal: Int32) { if let pid { Glibc.kill(pid, signal) } }

    /// Kills it with SIGKILL. Its render processes end with it.
    func kill() { if let child = child.take() { _ = child.kill() } }

    var hasEnded: Bool {
        guard let pid else { return true }
        var info = unsafe siginfo_t()
        return unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_signo != 0
    }

    /// Sends SIGTERM after its first log line. Before that, the unhandled signal would just kill it.
    func requestEnd() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while logBytes == logBytesBefore, !hasEnded, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        send(SIGTERM)
    }

    /// Whether it runs, and the last line of its log.
    var summary: String {
        let tail = try? ShellCommand.run("/usr/bin/tail", ["-n", "1", log])
        let line = tail?.split(separator: "\n").last?.prefix(200) ?? "its log is empty"
        return "\(name), started \(starts) times, \(hasEnded ? "has ended" : "runs"): \(line)"
    }

    private var logBytes: Int {
        var facts = stat()
        return unsafe stat(log, &facts) == 0 ? Int(facts.st_size) : 0
    }

    /// Waits for its end.
    ///
    /// - Returns: its end; nil if it had to be killed.
    func end(within time: Duration) async throws -> ProcessEnd? {
        let deadline = ContinuousClock.now + time
        while !hasEnded, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        let isLate = !hasEnded
        guard let child = child.take() else { return nil }
        let end = child.wait()
        return isLate ? nil : end
    }

    var children: [Int32] { pid.map { ProcessTable.children(of: $0) } ?? [] }
}

/// The tortured program.
enum RawmillProgram {
    /// The `rawmill` of the same installation.
    ///
    /// - Throws: `CommandFailure` if it is missing.
    static func path() throws -> String { try InstalledProgram.path(of: "rawmill", in: ["../../bin"]) }
}
