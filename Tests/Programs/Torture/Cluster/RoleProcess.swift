import CommandLineTool
import Glibc
import Processes

/// A role of the tortured cluster: a process of its own, with its log in a file.
final class RoleProcess {
    let name: String
    private let arguments: [String]
    private let log: String
    /// Where a worker sees the shared folders; nil for other roles.
    let mounts: WorkerMounts?
    private var child: ChildProcess?
    /// How often it was started.
    private(set) var starts = 0
    private var logBytesBefore = 0

    init(_ name: String, _ arguments: [String], log: String, mounts: WorkerMounts? = nil) {
        self.mounts = mounts
        self.name = name
        self.arguments = arguments
        self.log = log
    }

    var pid: Int32? { child?.pid }

    /// Starts it, or starts it again. A shell, which the role then replaces, appends its standard error to the log.
    ///
    /// - Parameter environment: variables that it gets beside the usual ones, as `NAME=VALUE`.
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

    /// Sends SIGTERM once it logs something. Before that it does not handle the signal, which would just end it.
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

    /// Waits for it to end.
    ///
    /// - Returns: how it ended; nil where it had to be killed.
    func end(within time: Duration) async throws -> ProcessEnd? {
        let deadline = ContinuousClock.now + time
        while !hasEnded, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        let isLate = !hasEnded
        guard let child = child.take() else { return nil }
        let end = child.wait()
        return isLate ? nil : end
    }

    /// Its render processes.
    var children: [Int32] { pid.map { ProcessTable.children(of: $0) } ?? [] }
}

/// The program that is tortured.
enum RawmillProgram {
    /// The `rawmill` of the same installation.
    ///
    /// - Throws: `CommandFailure` where it is not there.
    static func path() throws -> String { try InstalledProgram.path(of: "rawmill", in: ["../../bin"]) }
}
