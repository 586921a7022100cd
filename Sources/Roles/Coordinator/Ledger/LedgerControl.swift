internal import Database
internal import Digest
public import Jobs

extension LedgerStore {
    /// Stops giving out the batch's jobs, and takes back those that nobody began: they wait in the outbox, and their
    /// records are out of date. A batch that is not running stays as it is.
    public func pause(_ batch: BatchID) throws {
        guard let (number, state) = try self.batch(batch) else { throw LedgerError.unknownBatch }
        guard state == .running else { return }
        try connection.run("UPDATE batches SET state = 1, epoch = epoch + 1 WHERE id = ?", number)
        try takeBack(number)
    }

    /// In transactions of bounded size. One that a crash cut short is taken up by the next pause or resume.
    private func takeBack(_ number: Int64) throws {
        while true {
            let count = try connection.run(
                """
                UPDATE jobs SET state = 0, sends = 0 WHERE seq IN
                    (SELECT seq FROM jobs WHERE batch = ? AND state = 1 LIMIT 5000)
                """, number)
            if count == 0 { return }
        }
    }

    /// Gives out a paused batch's jobs again.
    public func resume(_ batch: BatchID) throws {
        guard let (number, state) = try self.batch(batch) else { throw LedgerError.unknownBatch }
        guard state == .paused else { return }
        try takeBack(number)
        try connection.run("UPDATE batches SET state = 0 WHERE id = ?", number)
    }

    /// Ends the batch's open jobs as cancelled, and takes no more for it. What is being rendered may still be
    /// catalogued.
    ///
    /// - Returns: how many jobs were open.
    @discardableResult
    public func cancel(_ batch: BatchID) throws -> Int {
        guard let (number, state) = try self.batch(batch) else { throw LedgerError.unknownBatch }
        if state == .running || state == .paused {
            try connection.run("UPDATE batches SET state = 2, epoch = epoch + 1 WHERE id = ?", number)
        }
        return try state == .cancelled ? 0 : finishCancelling(number)
    }

    /// Goes on with cancellations that a crash interrupted.
    func finishCancellations() throws {
        for number in try connection.all("SELECT id FROM batches WHERE state = 2", make: { $0.integer(0) }) {
            try finishCancelling(number)
        }
    }

    /// In transactions of bounded size.
    @discardableResult
    private func finishCancelling(_ number: Int64) throws -> Int {
        var ended = 0
        for state in [JobState.accepted, .published] {
            while true {
                let count = try connection.run(
                    """
                    UPDATE jobs SET state = 5 WHERE seq IN
                        (SELECT seq FROM jobs WHERE batch = ? AND state = \(state.rawValue) LIMIT 5000)
                    """, number)
                ended += count
                if count == 0 { break }
            }
        }
        try connection.run("UPDATE batches SET state = 3 WHERE id = ?", number)
        return ended
    }

    /// Opens failed jobs again, with fresh attempts. One whose file was converted in a newer state since stays as it
    /// is: the file it names is no more.
    ///
    /// - Returns: how many.
    public func retry(_ choice: RetryFilter = RetryFilter()) throws -> Int {
        let number: Int64? =
            if let batch = choice.batch {
                if let known = try self.batch(batch) { known.number } else { throw LedgerError.unknownBatch }
            } else { nil }
        guard choice.jobs.isEmpty else {
            return try connection.transaction {
                try choice.jobs.compactMap { try failed($0, reason: choice.reason, batch: number) }
                    .reduce(0) { try $0 + startAfresh($1) }
            }
        }
        var opened = 0
        var last: Int64 = 0
        while true {
            let page = try failedPage(after: last, reason: choice.reason, batch: number)
            guard let end = page.last else { return opened }
            last = end
            opened += try connection.transaction {
                try page.reduce(0) { try $0 + startAfresh($1) }
            }
        }
    }

    private func failedPage(after last: Int64, reason: FailureReason?, batch: Int64?) throws -> [Int64] {
        try connection.all(
            """
            SELECT seq FROM jobs WHERE state = 4 AND seq > ?1 AND (?2 IS NULL OR reason = ?2)
                AND (?3 IS NULL OR batch = ?3) ORDER BY seq LIMIT 5000
            """, last, reason?.rawValue, batch
        ) { $0.integer(0) }
    }

    /// Nil for a job that did not fail, or not so, or that the ledger does not know.
    private func failed(_ address: JobAddress, reason: FailureReason?, batch: Int64?) throws -> Int64? {
        guard let root = try knownRoot(address.file.root) else { return nil }
        return try connection.first(
            """
            SELECT seq FROM jobs WHERE root = ?1 AND path = ?2 AND id = ?3 AND state = 4
                AND (?4 IS NULL OR reason = ?4) AND (?5 IS NULL OR batch = ?5)
            """, root, address.file.path.bytes, address.job.digest.bytes, reason?.rawValue, batch
        ) { $0.integer(0) }
    }

    private func startAfresh(_ sequence: Int64) throws -> Int {
        try connection.run(
            """
            UPDATE jobs SET state = 0, round = \(JobColumns.nextRound), sends = 0, reason = NULL, message = NULL,
                signal = NULL
            WHERE seq = ? AND NOT \(JobColumns.isSuperseded)
            """, sequence)
    }
}
