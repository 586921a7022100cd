internal import Glibc
public import PostgreSQL
internal import Synchronization

/// Shows that one process writes to tables on a server. The server drops the lock when the process ends, or its machine is
/// gone for half a minute. A process that is stopped keeps it, unless another waits for it that evicts silent ones.
///
/// A process that lost it without noticing does no harm: every transaction asks the server whether the lock is still held.
public final class ServerLock: Sendable {
    private let address: ServerAddress
    private let name: String
    private let patience: Duration
    private let isRenewable: Bool
    private let isShared: Bool
    private let isGuest: Bool
    private let session: Mutex<Held>

    /// The connection that has the lock, its number on the server, and the number of a lock that no other connection has: numbers
    /// of connections are used again.
    private struct Held {
        var session: ServerSession
        var process: Int32
        var token: Int64
    }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - name: what is locked, in small letters, digits and underscores.
    ///   - patience: how long it is waited for if the connection that had it broke: the server notices only after a while that the
    ///     connection is gone.
    ///   - isRenewable: it is taken again if its connection broke and no other process has it. False for a process that
    ///     remembers what another may change meanwhile.
    ///   - isShared: others who share it may have it, too.
    ///   - isGuest: with `isShared`: this process takes no share of the others' work.
    ///   - silence: how long its owner may go without `keep` before the lock is taken away; nil for ever.
    /// - Throws: a `DatabaseError` of kind `busy` if another process has it.
    public init(
        _ address: ServerAddress, name: String, patience: Duration = .seconds(40), isRenewable: Bool = true,
        isShared: Bool = false, isGuest: Bool = false, evicting silence: Duration? = nil
    ) throws(DatabaseError) {
        self.isGuest = isGuest
        self.address = address
        self.name = name
        self.patience = patience
        self.isRenewable = isRenewable
        self.isShared = isShared
        // A connection that was closed a moment ago has it a moment longer.
        session = Mutex(try Self.take(address, name, isShared, isGuest, patience: .seconds(3), evicting: silence))
    }

    /// Shows those who wait for the lock that this process lives.
    ///
    /// - Throws: `DatabaseError` once the lock is lost.
    public func keep() throws(DatabaseError) {
        let error = session.withLock { held -> DatabaseError? in
            do throws(ServerError) {
                try held.session.execute("SELECT 1")
                return nil
            } catch {
                return DatabaseError(error, database: address.description, statement: nil)
            }
        }
        if let error { throw error }
    }

    /// Takes the lock again if the connection that had it broke.
    ///
    /// - Throws: a `DatabaseError` of kind `busy` if another process has it.
    func renew() throws(DatabaseError) {
        let error = session.withLock { held -> DatabaseError? in
            if (try? held.session.execute("SELECT 1")) != nil { return nil }
            guard isRenewable else { return Self.busy(address, "another Rawmill has taken this one's place") }
            do throws(DatabaseError) {
                held = try Self.take(address, name, isShared, isGuest, patience: patience)
                return nil
            } catch {
                return error
            }
        }
        if let error { throw error }
    }

    /// A statement that fails unless the lock is still held. Until the transaction ends that runs it, after it has got its turn,
    /// whoever takes the lock then has to wait.
    var check: String {
        let (process, token) = session.withLock { ($0.process, $0.token) }
        return """
            DO $$ BEGIN IF NOT EXISTS (
                SELECT FROM pg_locks WHERE \(Self.isOwned) AND pid = \(process) AND \(Self.key) = \(token)
            ) THEN RAISE EXCEPTION 'another Rawmill writes it' USING ERRCODE = 'object_in_use'; END IF; END $$
            """
    }

    // MARK: Sharing

    /// One of those who share a lock: its number from 0, and how many there are.
    public struct Share: Hashable, Sendable {
        /// In the order of the server's numbers for their connections.
        public let number: Int
        /// At least 1.
        public let count: Int

        /// The parameters are the properties of the same names.
        public init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }
    }

    /// Which of those who have the lock this is. It changes when others come or go.
    ///
    /// - Throws: `DatabaseError`, also once the lock is lost.
    public func share() throws(DatabaseError) -> Share {
        do { return try currentShare() } catch {
            guard error.kind == .unreachable else { throw error }
            // The server was started anew.
            try renew()
            return try currentShare()
        }
    }

    private func currentShare() throws(DatabaseError) -> Share {
        let found = session.withLock { held -> Result<[Int64], DatabaseError> in
            Result { () throws(DatabaseError) in
                do throws(ServerError) {
                    let statement = try held.session.prepare(
                        """
                        SELECT pid FROM pg_locks
                        WHERE \(Self.isOwned) AND \(Self.key) = hashtextextended('rawmill.\(name)', 1) AND pid NOT IN (
                            SELECT pid FROM pg_locks
                            WHERE \(Self.isOwned) AND \(Self.key) = hashtextextended('rawmill.\(name)', 2))
                        ORDER BY pid
                        """, isKept: false)
                    let rows = try held.session.run(statement, [], isStreamed: false)
                    var processes: [Int64] = []
                    while try rows.next() {
                        processes.append(rows.bytes(0).map { ServerValue.integer($0, rows.type(0)) } ?? 0)
                    }
                    return processes.firstIndex(of: Int64(held.process)).map { [Int64($0), Int64(processes.count)] }
                        ?? []
                } catch {
                    throw DatabaseError(error, database: address.description, statement: nil)
                }
            }
        }
        let numbers = try found.get()
        guard numbers.count == 2 else { throw Self.busy(address, "another Rawmill writes it") }
        return Share(number: Int(numbers[0]), count: Int(numbers[1]))
    }

    // MARK: Taking

    /// True for a row of `pg_locks` that is a lock of this database's, with a number of 64 bits.
    private static let isOwned = """
        locktype = 'advisory' AND objsubid = 1 AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
    /// The number of such a row.
    private static let key = "(classid::bigint << 32 | objid::bigint)"

    private static func take(
        _ address: ServerAddress, _ name: String, _ isShared: Bool, _ isGuest: Bool, patience: Duration,
        evicting silence: Duration? = nil
    ) throws(DatabaseError) -> Held {
        let end = ContinuousClock.now + patience
        let holder: String
        do throws(ServerError) {
            let session = try ServerSession(address)
            try session.execute(settings)
            // Taken before the lock, so that no cataloguer counts this process among those that share the work.
            if isGuest { try session.execute("SELECT pg_advisory_lock_shared(hashtextextended('rawmill.\(name)', 2))") }
            let statement = try session.prepare(
                "SELECT pg_try_advisory_lock\(isShared ? "_shared" : "")(hashtextextended('rawmill.\(name)', 1)), pg_backend_pid()"
            )
            repeat {
                let rows = try session.run(statement, [], isStreamed: false)
                if try rows.next(), rows.bytes(0) == [1] {
                    let process = rows.bytes(1).map { ServerValue.integer($0, rows.type(1)) } ?? 0
                    if let silence { try evict(name, silence, session) }
                    return try held(session, Int32(clamping: process), name)
                }
                if let silence { try evict(name, silence, session) }
                usleep(silence == nil ? 20_000 : 250_000)
            } while ContinuousClock.now < end
            holder = try Self.holder(name, session)
        } catch {
            throw DatabaseError(error, database: address.description, statement: nil)
        }
        throw busy(address, holder)
    }

    /// Who holds the lock says so: other processes name it to people.
    private static var settings: String {
        var name = [CChar](repeating: 0, count: 256)
        _ = unsafe gethostname(&name, name.count - 1)
        let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let holder = "process \(getpid()) on \(host.filter { $0.isLetter || $0.isNumber || "-._".contains($0) })"
        return """
            SET tcp_keepalives_idle TO 10; SET tcp_keepalives_interval TO 5; SET tcp_keepalives_count TO 3;
            SET lock_timeout TO '30s'; SET application_name TO '\(holder)';
            """
    }

    /// Waits for the transaction of the process that had the lock, if one is under way: what is read from now on is all that it
    /// wrote.
    private static func held(
        _ session: ServerSession, _ process: Int32, _ name: String
    ) throws(ServerError) -> Held {
        let token = Int64.random(in: .min ... .max)
        try session.execute(
            """
            SELECT pg_advisory_lock(\(token)); BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('rawmill.\(name)', 0));
            COMMIT;
            """)
        return Held(session: session, process: process, token: token)
    }

    /// Ends the connections of a process that is silent: that with the lock, and one that is in the middle of a transaction, even
    /// if its process has lost the lock already.
    private static func evict(_ name: String, _ silence: Duration, _ session: ServerSession) throws(ServerError) {
        let (lock, turn) = ("hashtextextended('rawmill.\(name)', 1)", "hashtextextended('rawmill.\(name)', 0)")
        let milliseconds = silence.components.seconds * 1000 + silence.components.attoseconds / 1_000_000_000_000_000
        try session.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_locks
            WHERE \(isOwned) AND \(key) IN (\(lock), \(turn)) AND pid <> pg_backend_pid() AND EXISTS (
                SELECT FROM pg_stat_activity a
                WHERE state_change < clock_timestamp() - interval '\(milliseconds) milliseconds' AND (
                    (a.pid = pg_locks.pid AND state = 'idle in transaction')
                    OR a.pid IN (SELECT h.pid FROM pg_locks h WHERE \(isOwned) AND \(key) = \(lock))))
            """)
    }

    private static func holder(_ name: String, _ session: ServerSession) throws(ServerError) -> String {
        let statement = try session.prepare(
            """
            SELECT application_name FROM pg_stat_activity WHERE pid IN (
                SELECT pid FROM pg_locks WHERE \(isOwned) AND \(key) = hashtextextended('rawmill.\(name)', 1))
            """, isKept: false)
        let rows = try session.run(statement, [], isStreamed: false)
        let holder = try rows.next() ? rows.bytes(0).map { String(decoding: $0, as: UTF8.self) } : nil
        return "another Rawmill" + (holder.map { " (\($0))" } ?? "") + " writes it"
    }

    private static func busy(_ address: ServerAddress, _ message: String) -> DatabaseError {
        DatabaseError(kind: .busy, message: message, database: address.description, statement: nil)
    }
}
