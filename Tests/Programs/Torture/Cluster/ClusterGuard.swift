import CommandLineTool
import Glibc

/// Ends a run's roles and brokers when rawmill-torture is killed, or aborted by librdkafka's mock cluster, which runs
/// in it.
///
/// The guard is a separate process, the hidden subcommand `guard`. It waits at a pipe that rawmill-torture holds open
/// as long as it lives. It recognises all processes of the run, even a broker behind scripts, by an environment
/// variable.
enum ClusterGuard {
    static let command = "guard"
    static let variable = "RAWMILL_TORTURE"

    /// Ties everything that this process starts from now on to its life. Call it before anything is started.
    static func start() throws {
        let run = "\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        let line = [try InstalledProgram.running(), command, run].map(ShellCommand.quoted).joined(separator: " ")
        // The pipe is never closed: it ends with this process.
        guard unsafe popen("exec \(line) >/dev/null 2>&1", "we") != nil, unsafe setenv(variable, run, 1) == 0 else {
            throw CommandFailure("the process that guards the cluster could not be started.")
        }
    }

    /// The guard itself.
    static func run(_ arguments: [String]) -> Int32 {
        guard let run = arguments.first else { return ExitStatus.usage }
        // Signals for rawmill-torture do not reach its guard.
        setsid()
        var byte: UInt8 = 0
        while unsafe read(0, &byte, 1) > 0 {}
        // Several rounds: a process may just be starting another one.
        for _ in 0..<600 {
            let left = ProcessTable.processes(withVariable: "\(variable)=\(run)")
            if left.isEmpty { break }
            for process in left { kill(process, SIGKILL) }
            usleep(100_000)
        }
        return ExitStatus.done
    }
}
