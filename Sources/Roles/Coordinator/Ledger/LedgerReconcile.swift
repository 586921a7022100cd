internal import Database
internal import Jobs

extension LedgerStore {
    /// True while a job is open that no pause holds back.
    public func hasOpenJobs() throws -> Bool { try hasPublishedJobs() || hasWaitingJobs() }

    /// True while a job is in a jobs topic, or on its way through the workers; of any batch.
    func hasPublishedJobs() throws -> Bool {
        try connection.first("SELECT 1 FROM jobs WHERE state = 1 LIMIT 1") { _ in true } ?? false
    }

    /// True while a job is in the outbox whose batch is given out.
    public func hasWaitingJobs() throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM batches b WHERE b.open > 0 AND b.state NOT IN (1, 2)
                AND EXISTS (SELECT 1 FROM jobs j WHERE j.batch = b.id AND j.state = 0) LIMIT 1
            """
        ) { _ in true } ?? false
    }

    /// Puts up to `limit` published jobs back into the outbox. Answers how many; 0 when none is left.
    func publishAgain(limit: Int) throws -> Int {
        try connection.run(
            "UPDATE jobs SET state = 0 WHERE seq IN (SELECT seq FROM jobs WHERE state = 1 LIMIT ?)", limit)
    }

    /// As `publishAgain`, for jobs that vanished on the way though the broker is the one they were sent to: after
    /// `sends` sendings they are given up, so that a record every worker refuses does not go round for ever.
    func publishVanishedAgain(limit: Int, sends: Int) throws -> Int {
        let message = "It was given out \(sends) times and no worker ever answered. Look at the dead letters."
        return try connection.run(
            """
            UPDATE jobs SET state = iif(sends < ?1, 0, 4), reason = iif(sends < ?1, NULL, ?2),
                message = iif(sends < ?1, NULL, ?3)
            WHERE seq IN (SELECT seq FROM jobs WHERE state = 1 LIMIT ?4)
            """, sends, FailureReason.internalError.rawValue, message, limit)
    }

    /// The broker that everything published was published to.
    func knownCluster() throws -> String? {
        try connection.first("SELECT id FROM cluster") { $0.text(0) }
    }

    /// Turns to another broker: nothing that was sent or read counts any more. Everything published must be back in
    /// the outbox before.
    func turn(to cluster: String) throws {
        try connection.transaction {
            try connection.script("DELETE FROM offsets; DELETE FROM sent_offsets")
            try connection.run(
                "INSERT INTO cluster VALUES (1, ?) ON CONFLICT(one) DO UPDATE SET id = excluded.id", cluster)
        }
    }
}
