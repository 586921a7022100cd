internal import Glibc
public import PostgreSQL
internal import Synchronization

/// An advisory lock that ensures a single writer. The server releases it when the process ends, or half a minute after
/// its machine is lost. A suspended process keeps it, unless another process waits with `evicting`.
///
/// Losing the lock unnoticed is harmless: every transaction verifies that it is still held.
public final class ServerLock: Sendable {
    private let address: ServerAddress
    private let name: String
    private let patience: Duration
    private let isRenewable: Bool
    private let isShared: Bool
    private let isGuest: Bool
    private let session: Mutex<Held>

    /// The connection that holds the lock, its backend's pid, and a lock with a random key that identifies it, because
    /// pids are reused.
    private struct Held {
        var session: ServerSession
        var process: Int32
        var token: Int64
    }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - name: lower-case letters, digits and underscores.
    ///   - patience: how long to wait after a broken connection, which the server only notices after a while.
    ///   - isRenewable: whether to retake the lock after a broken connection if no other process holds it. False for a
    ///     process with state that another may change meanwhile.
    ///   - isShared: allow other shared holders.
    ///   - isGuest: with `isShared`: does not take part in the holders' work.
    ///   - silence: time without `keep` after which the current owner is evicted; nil for never.
    /// - Throws: a `DatabaseError` of kind `busy` if another process holds it.
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
        // A connection closed just now still holds it for a moment.
        session = Mutex(try Self.take(address, name, isShared, isGuest, patience: .seconds(3), evicting: silence))
    }

    /// Signals to waiting processes that this one is alive. Throws `DatabaseError` once the lock is lost.
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

    /// Retakes the lock if its connection broke. Throws a `DatabaseError` of kind `busy` if another process holds it.
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

    /// A statement that fails unless the lock is still held. Once the transaction that runs it has its turn, a process
    /// that takes the lock waits for the transaction's end.
    var check: String {
        let (process, token) = session.withLock { ($0.process, $0.token) }
        return """
            DO $$ BEGIN IF NOT EXISTS (
                SELECT FROM pg_locks WHERE \(Self.isOwned) AND pid = \(process) AND \(Self.key) = \(token)
            ) THEN RAISE EXCEPTION 'another Rawmill writes it' USING ERRCODE = 'object_in_use'; END IF; END $$
            """
    }

    // MARK: Sharing

    /// One of the processes that share a lock.
    public struct Share: Hashable, Sendable {
        /// From 0, in the order of their backends' pids.
        public let number: Int
        /// How many share the lock; at least 1.
        public let count: Int

        /// Creates a share.
        public init(number: Int, count: Int) {
            self.number = number
            self.count = count
        }
    }

    /// This process's share, which changes as holders come and go. Throws `DatabaseError`, also once the lock is lost.
    public func share() throws(DatabaseError) -> Share {
        do { return try currentShare() } catch {
            guard error.kind == .unreachable else { throw error }
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
        guard numbers.count == 2 else { throw Self.busy(address, "another Rawmill is writing to it") }
        return Share(number: Int(numbers[0]), count: Int(numbers[1]))
    }

    // MARK: Taking

    /// Selects advisory locks of this database with 64-bit keys in `pg_locks`.
    private static let isOwned = """
        locktype = 'advisory' AND objsubid = 1 AND granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
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
            // Taken first, so that no cataloguer counts this process among the workers.
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

    /// Sets the application name to this process, which other processes report as the lock's holder.
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

    /// Waits for a running transaction of the previous holder, so that subsequent reads see all it wrote.
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

    /// Terminates the connections of a silent process: the one with the lock, and one idle in a transaction, even if
    /// its process has already lost the lock.
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
        return "another Rawmill" + (holder.map { " (\($0))" } ?? "") + " is writing to it"
    }

    private static func busy(_ address: ServerAddress, _ message: String) -> DatabaseError {
        DatabaseError(kind: .busy, message: message, database: address.description, statement: nil)
    }
}
