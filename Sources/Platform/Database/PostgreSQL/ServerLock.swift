internal import Glibc
public import PostgreSQL
internal import Synchronization

/// Shows that one process writes to tables on a server. The server drops the lock when the process ends, or its machine is
/// gone for half a minute.
///
/// A process that lost it without noticing does no harm: every transaction asks the server whether the lock is still held.
public final class ServerLock: Sendable {
    private let address: ServerAddress
    private let name: String
    private let patience: Duration
    private let session: Mutex<Held>

    /// The connection that has the lock, and its number on the server.
    private struct Held {
        var session: ServerSession
        var process: Int32
    }

    /// Takes the lock.
    ///
    /// - Parameters:
    ///   - name: what is locked, in small letters, digits and underscores.
    ///   - patience: how long it is waited for if the connection that had it broke: the server notices only after a while that the
    ///     connection is gone.
    /// - Throws: a `DatabaseError` of kind `busy` if another process has it.
    public init(_ address: ServerAddress, name: String, patience: Duration = .seconds(40)) throws(DatabaseError) {
        self.address = address
        self.name = name
        self.patience = patience
        // A connection that was closed a moment ago has it a moment longer.
        session = Mutex(try Self.take(address, name, patience: .seconds(3)))
    }

    /// Takes the lock again if the connection that had it broke.
    ///
    /// - Throws: a `DatabaseError` of kind `busy` if another process has it.
    func renew() throws(DatabaseError) {
        let error = session.withLock { held -> DatabaseError? in
            if (try? held.session.execute("SELECT 1")) != nil { return nil }
            do throws(DatabaseError) {
                held = try Self.take(address, name, patience: patience)
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
        let process = session.withLock(\.process)
        return """
            DO $$ BEGIN IF NOT EXISTS (
                SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid = \(process)
            ) THEN RAISE EXCEPTION 'another Rawmill writes it' USING ERRCODE = 'object_in_use'; END IF; END $$
            """
    }

    private static func take(
        _ address: ServerAddress, _ name: String, patience: Duration
    ) throws(DatabaseError) -> Held {
        let end = ContinuousClock.now + patience
        do throws(ServerError) {
            let session = try ServerSession(address)
            try session.execute(
                "SET tcp_keepalives_idle TO 10; SET tcp_keepalives_interval TO 5; SET tcp_keepalives_count TO 3;")
            let statement = try session.prepare(
                "SELECT pg_try_advisory_lock(hashtextextended('rawmill.\(name)', 1)), pg_backend_pid()")
            repeat {
                let rows = try session.run(statement, [], isStreamed: false)
                if try rows.next(), rows.bytes(0) == [1] {
                    let process = rows.bytes(1).map { ServerValue.integer($0, rows.type(1)) } ?? 0
                    return Held(session: session, process: Int32(clamping: process))
                }
                usleep(20_000)
            } while ContinuousClock.now < end
        } catch {
            throw DatabaseError(error, database: address.description, statement: nil)
        }
        throw DatabaseError(
            kind: .busy, message: "another Rawmill writes it", database: address.description, statement: nil)
    }
}
