import Glibc

/// Ends what a torture leaves to nobody: its roles and brokers, where the program is killed itself, or where librdkafka's
/// imitation of a cluster, which runs in it, ends it.
///
/// It is a process of its own, the hidden subcommand `torture-guard`. It waits at a pipe that the torture holds open for
/// as long as it lives. Whatever it started, a broker behind scripts too, is known by a variable of its environment.
enum TortureGuard {
    static let command = "torture-guard"
    private static let variable = "RAWMILL_TORTURE"

    /// What this process starts from here on does not outlive it. To be called before anything is started.
    static func start() throws {
        let torture = "\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        let words = [try OwnProgram.path(), command, torture].map(OtherProgram.quoted).joined(separator: " ")
        // Nobody closes the pipe: the end of this process does.
        guard popen("exec \(words) >/dev/null 2>&1", "we") != nil, setenv(variable, torture, 1) == 0 else {
            throw CommandFailure("the process that guards the cluster could not be started.")
        }
    }

    /// The guard itself.
    static func run(_ arguments: [String]) -> Int32 {
        guard let torture = arguments.first else { return ExitStatus.usage }
        // No signal that is meant for the torture reaches its guard.
        setsid()
        var byte: UInt8 = 0
        while read(0, &byte, 1) > 0 {}
        // Again, for one may be starting another.
        for _ in 0..<600 {
            let left = ProcessTable.having("\(variable)=\(torture)")
            if left.isEmpty { break }
            for process in left { kill(process, SIGKILL) }
            usleep(100_000)
        }
        return ExitStatus.done
    }
}
