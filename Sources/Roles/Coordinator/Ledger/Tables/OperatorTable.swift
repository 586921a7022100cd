internal import Database

/// The table `operator`: whether operators paused everything.
struct OperatorTable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func current() throws -> (isPaused: Bool, resumes: UInt64) {
        try connection.first("SELECT paused, resumes FROM operator") { row in
            (row.integer(0) != 0, UInt64(clamping: row.integer(1)))
        } ?? (false, 0)
    }

    func pauseAll() throws { try connection.run("UPDATE operator SET paused = 1") }

    func resumeAll() throws { try connection.run("UPDATE operator SET paused = 0, resumes = resumes + 1") }
}
