public import Database
internal import ExternalTools
internal import Foundation
internal import Glibc
public import PostgreSQL

/// A PostgreSQL server for the tests, in its own folder, with a socket there. A test that uses one has the trait
/// `.needs(.postgreSQL)`.
///
/// It ends and is removed with the test process, however that ends. It does not sync, because no test simulates a power
/// failure.
public final class PostgreSQLServer: Sendable {
    private let folder: String
    private let programs: String
    private let running: Running
    /// Nil for a server that listens only on a socket.
    private let port: Int?

    /// A server shared by all tests that do not damage it.
    public static let shared = Result { try PostgreSQLServer() }

    /// Whether this machine has a server. Continuous integration must.
    public static let isExpected = Requirement.isCI || Requirement.postgreSQL.obstacle == nil

    /// The user that tests connect as.
    public static let user = "rawmill"
    /// A user who needs a password.
    public static let userWithPassword = "guarded"

    /// Creates and starts a server.
    ///
    /// - Parameters:
    ///   - parent: parent of its folder.
    ///   - port: a free port of 127.0.0.1 to listen on as well, for users over TLS only; nil for none.
    public init(in parent: String = "/tmp", port: Int? = nil) throws {
        self.port = port
        guard let programs = Requirement.postgreSQLFolder else {
            throw Failure(description: Requirement.postgreSQL.obstacle ?? "")
        }
        self.programs = programs
        var template = Array("\(parent)/rawmill-postgresql-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no folder could be made in \(parent)") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        if geteuid() == 0, let owner = getpwnam("postgres") {
            chown(folder, owner.pointee.pw_uid, owner.pointee.pw_gid)
        }
        try ExternalTool.runAsPostgres(
            "\(programs)/initdb",
            ["-D", "\(folder)/data", "-U", Self.user, "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"])
        let access = """
            local all \(Self.userWithPassword) scram-sha-256
            local all all trust
            hostssl all all 127.0.0.1/32 trust
            """
        try access.write(toFile: "\(folder)/data/pg_hba.conf", atomically: false, encoding: .utf8)
        running = Running()
        try start()
        let connection = try Connection(server: address(), schema: "public")
        try connection.script("CREATE USER \(Self.userWithPassword) PASSWORD 'open sesame'")
    }

    /// The address of the server's database.
    public func address(user: String = PostgreSQLServer.user, _ more: String = "") throws -> ServerAddress {
        try ServerAddress("postgresql://\(user)@/postgres?host=\(folder)\(port.map { "&port=\($0)" } ?? "")\(more)")
    }

    /// Folder of the server's certificate and key, if it is configured to use them: `server.crt` and `server.key`.
    public var dataFolder: String { "\(folder)/data" }

    /// The address in users' notation.
    public func addressText() throws -> String { try address().text }

    /// A new, unique schema.
    public func newSchema() -> String { "test_\(UUID().uuidString.lowercased().replacing("-", with: "_"))" }

    /// A connection to its own schema.
    public func connection() throws -> Connection {
        let schema = newSchema()
        let connection = try Connection(server: address(), schema: schema)
        try connection.migrate(Schema([Migration("")], onServer: ""))
        return connection
    }

    // MARK: Ending and starting

    /// Starts the server after `kill`, and waits until it accepts connections.
    public func start() throws {
        let process = Process()
        // When the pipe closes, this process has ended.
        let script = """
            "$@" >"\(folder)/log" 2>&1 &
            cat >/dev/null; kill -QUIT $!; wait $!; [ -e "\(folder)/kept" ] || rm -rf "\(folder)"
            """
        // Shared memory is in its folder, not in /dev/shm, where a killed server would leave it.
        let server =
            [
                "\(programs)/postgres", "-D", "\(folder)/data", "-k", folder, "-F", "-c",
                "dynamic_shared_memory_type=mmap", "-h",
            ]
            + (port.map { ["127.0.0.1", "-p", "\($0)"] } ?? [""])
        let arguments = ExternalTool.asPostgres("/bin/sh", ["-c", script, "sh"] + server)
        process.executableURL = URL(fileURLWithPath: arguments[0])
        process.arguments = Array(arguments.dropFirst())
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        let input = Pipe()
        process.standardInput = input
        try process.run()
        running.set(process, input)
        for _ in 0..<1500 {
            if (try? Connection(server: address(), schema: "public", mode: .readOnly)) != nil { return }
            usleep(20_000)
        }
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        throw Failure(description: "the server did not start: \(log)")
    }

    /// Kills the server and all its processes immediately.
    public func kill() throws {
        let text = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        guard let id = Int32(text.prefix { $0.isNumber }) else { throw Failure(description: "no server runs") }
        try "".write(toFile: "\(folder)/kept", atomically: false, encoding: .utf8)
        Glibc.kill(id, SIGKILL)
        running.end()
        try FileManager.default.removeItem(atPath: "\(folder)/kept")
        // Its processes end when they notice.
        while Glibc.kill(id, 0) == 0 { usleep(10_000) }
    }

    /// An error of the server.
    public struct Failure: Error, CustomStringConvertible {
        /// The cause.
        public let description: String
    }
}

/// The server's process, and its pipe. Guarded by a lock.
private final class Running: @unchecked Sendable {
    private let lock = NSLock()
    private var process: Process?
    private var input: Pipe?

    func set(_ process: Process, _ input: Pipe) {
        lock.withLock {
            self.process = process
            self.input = input
        }
    }

    func end() {
        lock.withLock {
            try? input?.fileHandleForWriting.close()
            process?.waitUntilExit()
            process = nil
        }
    }

    deinit { end() }
}

extension ExternalTool {
    /// The command that runs a program as a user whom PostgreSQL accepts: root becomes `postgres`.
    static func asPostgres(_ program: String, _ arguments: [String]) -> [String] {
        guard geteuid() == 0 else { return [program] + arguments }
        return ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", program] + arguments
    }

    static func runAsPostgres(_ program: String, _ arguments: [String]) throws {
        let command = asPostgres(program, arguments)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw PostgreSQLServer.Failure(description: "\(program) failed")
        }
    }
}
