import Glibc
import Processes
import Testing

/// Processes are started one after another, because the tests read `/proc`.
@Suite("A child process", .serialized)
struct ChildProcessTests {
    private let killHandle = ChildProcess.KillHandle()

    private func start(script: String) throws -> ChildProcess { try start("/bin/sh", ["-c", script]) }

    private func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        let channel = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(channel) }
        return try ChildProcess.start(
            program: program, arguments: arguments, channel: channel, inheritsStandardError: false,
            killHandle: killHandle)
    }

    private func exists(_ pid: pid_t) -> Bool { kill(pid, 0) == 0 }

    @Test("reports its exit status")
    func exitStatus() throws {
        let child = try start(script: "exit 3")
        var info = siginfo_t()
        #expect(waitid(P_PID, id_t(child.pid), &info, WEXITED | WNOWAIT) == 0)
        #expect(child.wait() == .exited(status: 3))
    }

    @Test("reports the signal that ended it, and is reaped")
    func killed() throws {
        let child = try start(script: "sleep 600")
        let pid = child.pid
        #expect(exists(pid))
        #expect(child.kill() == .signalled(SIGKILL))
        #expect(!exists(pid))
    }

    @Test("is killed by its handle, which does nothing after its end")
    func handle() throws {
        let child = try start(script: "sleep 600")
        killHandle.kill()
        #expect(child.wait() == .signalled(SIGKILL))
        killHandle.kill()
    }

    @Test("is killed and reaped when its value is released")
    func scope() throws {
        var pid: pid_t = 0
        do {
            let child = try start(script: "sleep 600")
            pid = child.pid
        }
        #expect(!exists(pid))
    }

    @Test("receives only the intended variables of the environment")
    func environment() throws {
        setenv("RAWMILL_KAFKA_SASL_PASSWORD", "secret", 1)
        defer { unsetenv("RAWMILL_KAFKA_SASL_PASSWORD") }
        let channel = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(channel) }
        let child = try ChildProcess.start(
            program: "/bin/sh", arguments: ["-c", #"test -n "$PATH" && test -z "$RAWMILL_KAFKA_SASL_PASSWORD""#],
            channel: channel, inheritsStandardError: false, killHandle: killHandle, passing: { $0 == "PATH" })
        var info = siginfo_t()
        #expect(waitid(P_PID, id_t(child.pid), &info, WEXITED | WNOWAIT) == 0)
        #expect(child.wait() == .exited(status: 0))
    }

    @Test("that waits too long to exit is killed")
    func slowExit() throws {
        let child = try start(script: "sleep 600")
        #expect(child.wait() == .signalled(SIGKILL))
    }

    @Test("of a program that does not exist is refused with the system's error")
    func missingProgram() {
        #expect(throws: SpawnError.self) { _ = try start("/nonexistent", []).kill() }
    }
}

@Suite("The processor")
struct ProcessorTests {
    @Test("has an x86-64 level from 0 to 4")
    func level() { #expect((0...4).contains(Processor.level)) }
}
