import Glibc
import Processes

/// A role of the tortured cluster: a process of its own, with its log in a file.
final class TortureProcess {
    let name: String
    private let arguments: [String]
    private let log: String
    private var child: ChildProcess?
    /// Times it was started.
    private(set) var starts = 0
    private var logBytesBefore = 0

    init(_ name: String, _ arguments: [String], log: String) {
        self.name = name
        self.arguments = arguments
        self.log = log
    }

    var pid: Int32? { child?.pid }

    /// Starts it, or starts it again. What it writes to standard error is added to its log: by a shell, which becomes it.
    func start() throws {
        var problem = ""
        let program = try OwnProgram.path()
        logBytesBefore = logBytes
        let started = ChildProcess.start(
            program: "/bin/sh",
            arguments: ["-c", #"log=$1; shift; exec "$@" 2>>"$log""#, "sh", log, program] + arguments,
            channel: 2, keepsErrors: true, killer: ChildProcess.Killer(), problem: &problem)
        guard let started else { throw CommandFailure("\(name) could not be started: \(problem)") }
        child = consume started
        starts += 1
    }

    func send(_ signal: Int32) { if let pid { Glibc.kill(pid, signal) } }

    /// kill -9, of its render processes too: they end with it.
    func kill() { if let child = child.take() { _ = child.kill() } }

    var hasEnded: Bool {
        guard let pid else { return true }
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_signo != 0
    }

    /// Asks it to end, once it has begun: before it says so, the signal would end it like any other process.
    func askToEnd() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while logBytes == logBytesBefore, !hasEnded, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        send(SIGTERM)
    }

    /// Whether it runs, and the end of its log.
    var lastWords: String {
        let tail = try? OtherProgram.run("/usr/bin/tail", ["-n", "1", log])
        let words = tail?.split(separator: "\n").last?.prefix(200) ?? "it says nothing"
        return "\(name), started \(starts) times, \(hasEnded ? "has ended" : "runs"): \(words)"
    }

    private var logBytes: Int {
        var facts = stat()
        return stat(log, &facts) == 0 ? Int(facts.st_size) : 0
    }

    /// Waits for it to end.
    ///
    /// - Returns: how it ended; nil where it had to be killed.
    func end(within time: Duration) async throws -> ProcessEnd? {
        let deadline = ContinuousClock.now + time
        while !hasEnded, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(50)) }
        let isLate = !hasEnded
        guard let child = child.take() else { return nil }
        let end = child.wait()
        return isLate ? nil : end
    }

    /// Render processes of it.
    var children: [Int32] { pid.map { ProcessTable.children(of: $0) } ?? [] }
}

/// This very program.
enum OwnProgram {
    static func path() throws -> String {
        guard let path = RealPath.of(Array("/proc/self/exe".utf8)) else {
            throw CommandFailure("/proc is not mounted: this program cannot find itself.")
        }
        return String(decoding: path, as: UTF8.self)
    }
}

/// Processes as /proc tells.
enum ProcessTable {
    static func children(of parent: Int32) -> [Int32] {
        all.filter { process in
            guard let text = read("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return false }
            let words = text[end...].split(separator: " ")
            return words.count > 2 && words[1] != "Z" && Int32(words[2]) == parent
        }
    }

    /// Those with the text on their command line, this one left out.
    static func naming(_ text: String) -> [Int32] {
        all.filter { $0 != getpid() && read("/proc/\($0)/cmdline")?.contains(text) == true }
    }

    /// Those with the variable, "NAME=VALUE", in the environment they were started with.
    static func having(_ variable: String) -> [Int32] {
        all.filter { read("/proc/\($0)/environ")?.split(separator: "\0").contains { $0 == variable } == true }
    }

    /// Open descriptors of a process.
    static func descriptors(of process: Int32) -> Int { names("/proc/\(process)/fd").count }

    /// Bytes resident now; nil for a process that is gone.
    static func residentBytes(of process: Int32) -> Int? {
        // "size resident shared …", in pages.
        let pages = read("/proc/\(process)/statm")?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }

    private static var all: [Int32] { names("/proc").compactMap { Int32($0) } }

    private static func names(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            found.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return found
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
