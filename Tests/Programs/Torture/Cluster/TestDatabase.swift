import CommandLineTool

/// The PostgreSQL server of a tortured cluster, with its library and ledger. It always belongs to the run, which
/// accepts no address.
struct TestDatabase {
    /// Starts and harms it: `PROGRAM start|kill|restart|stop FOLDER`.
    private let program: String
    private let folder: String
    /// `postgresql://…`
    let address: String

    init(_ program: String, folder: String) throws {
        self.program = program
        self.folder = folder
        address = try ShellCommand.run(program, ["start", folder]).split(separator: "\n").last.map(String.init) ?? ""
        guard address.hasPrefix("postgresql://") else {
            throw CommandFailure("\(program) started no server: \(address)")
        }
    }

    /// Kills the server with all its processes, and restarts it after a while.
    func takeDown(for time: Duration) async throws -> String {
        _ = try ShellCommand.run(program, ["kill", folder])
        try await Task.sleep(for: time)
        _ = try ShellCommand.run(program, ["restart", folder])
        return "the database for \(time.components.seconds) s"
    }

    func stop() { _ = try? ShellCommand.run(program, ["stop", folder]) }
}
