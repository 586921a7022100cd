internal import CPostgreSQL

/// A connection to a server. Not thread-safe.
///
/// Safe: the pointer is private and valid as long as the object.
@safe public final class ServerSession {
    /// Valid from `init` to `deinit`.
    private let pointer: OpaquePointer
    private var statementCount = 0
    private weak var reading: ServerRows?

    /// Connects. Notices from the server are discarded.
    public init(_ address: ServerAddress) throws(ServerError) {
        guard let opened = unsafe PQconnectdb(address.connectionString) else {
            throw ServerError(state: "", message: "out of memory")
        }
        unsafe pointer = opened
        guard unsafe PQstatus(opened) == CONNECTION_OK else { throw connectionError() }
        _ = unsafe PQsetNoticeReceiver(opened, { _, _ in }, nil)
    }

    deinit { unsafe PQfinish(pointer) }

    /// True once the connection broke.
    public var isLost: Bool { unsafe PQstatus(pointer) != CONNECTION_OK }

    /// True after an error in a transaction, which can then only be rolled back.
    public var isTransactionSpoilt: Bool { unsafe PQtransactionStatus(pointer) == PQTRANS_INERROR }

    /// Maps libpq's connection errors, which have no codes, by PostgreSQL's English messages. In other languages they
    /// count as an unreachable server.
    private func connectionError() -> ServerError {
        let message = unsafe String(cString: PQerrorMessage(pointer))
        if ["certificate", "SSL error", "does not support SSL"].contains(where: { message.contains($0) }) {
            return ServerError(kind: .notTrusted, message: message)
        }
        let isFull = [
            "too many clients", "too many connections", "connection slots are reserved", "no more connections",
        ]
        .contains { message.contains($0) }
        if isFull { return ServerError(state: "53300", message: message) }
        let isRefusal = [
            "authentication failed", "no password supplied", "does not exist", "no pg_hba.conf entry",
            "permission denied for database",
        ].contains { message.contains($0) }
        return ServerError(state: isRefusal && !message.contains("No such file") ? "28000" : "", message: message)
    }

    // MARK: Statements

    /// Runs statements without parameters and results.
    public func execute(_ sql: String) throws(ServerError) {
        try finishReading()
        try unsafe check(PQexec(pointer, sql))
    }

    /// Prepares a statement with the placeholders `$1`, `$2` and so on.
    ///
    /// - Parameters:
    ///   - types: OIDs of the parameters' types; 0 lets the server infer one.
    ///   - isKept: false for a statement that runs once, before another is prepared.
    public func prepare(_ sql: String, types: [UInt32] = [], isKept: Bool = true) throws(ServerError) -> ServerStatement
    {
        try finishReading()
        if isKept { statementCount += 1 }
        // The next unnamed statement replaces this one.
        let name = isKept ? "s\(statementCount)" : ""
        try unsafe check(PQprepare(pointer, name, sql, Int32(types.count), types))
        guard let description = unsafe PQdescribePrepared(pointer, name) else { throw connectionError() }
        let result = unsafe ServerResult(description)
        if let error = result.error { throw settled(error) }
        return ServerStatement(name: name, parameterTypes: result.parameterTypes)
    }

    /// Runs a prepared statement.
    ///
    /// - Parameters:
    ///   - values: parameters in PostgreSQL's binary format; nil for NULL.
    ///   - isStreamed: fetches rows one by one, to save memory. Running another statement collects the rest.
    public func run(
        _ statement: ServerStatement, _ values: [[UInt8]?], isStreamed: Bool
    ) throws(ServerError) -> ServerRows {
        try send(statement, values)
        if isStreamed { unsafe PQsetSingleRowMode(pointer) }
        let rows = ServerRows(of: self)
        reading = rows
        // Fetches once, so that errors are thrown here.
        try rows.fetch()
        return rows
    }

    /// Sends a prepared statement without result rows and does not wait. Call `awaitAnswer` before any other statement.
    ///
    /// - Parameter values: parameters in PostgreSQL's binary format; nil for NULL.
    public func send(_ statement: ServerStatement, _ values: [[UInt8]?]) throws(ServerError) {
        try finishReading()
        let sent = unsafe Self.withPointers(values) { pointers, lengths in
            let formats = [Int32](repeating: 1, count: values.count)
            return unsafe PQsendQueryPrepared(
                pointer, statement.name, Int32(values.count), pointers, lengths, formats, 1)
        }
        guard sent == 1 else { throw connectionError() }
    }

    /// Waits for the statement that was sent.
    public func awaitAnswer() throws(ServerError) { while try nextResult() != nil {} }

    /// Runs `COPY … FROM STDIN` with `bytes` as input.
    public func copy(_ sql: String, from bytes: [UInt8]) throws(ServerError) {
        try finishReading()
        try unsafe check(PQexec(pointer, sql))
        var isSent = true
        for start in stride(from: 0, to: bytes.count, by: Self.copySize) where isSent {
            let part = bytes[start..<min(start + Self.copySize, bytes.count)]
            isSent = unsafe part.withUnsafeBytes { buffer in
                let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                return unsafe PQputCopyData(pointer, start, Int32(clamping: buffer.count)) == 1
            }
        }
        guard unsafe PQputCopyEnd(pointer, isSent ? nil : "the client could not send all") == 1 else {
            throw connectionError()
        }
        try awaitAnswer()
    }

    /// Bytes passed to libpq per call.
    private static let copySize = 1 << 18

    /// Calls `body` with a pointer to each value, nil for NULL, and the values' lengths.
    private static func withPointers<Result>(
        _ values: [[UInt8]?], _ body: ([UnsafePointer<CChar>?], [Int32]) -> Result
    ) -> Result {
        let bytes = values.flatMap { $0 ?? [] }
        return unsafe bytes.withUnsafeBytes { buffer in
            // An empty value needs a non-null pointer.
            let empty: StaticString = ""
            let start =
                unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                ?? UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
            var offset = 0
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            for value in values {
                unsafe pointers.append(value == nil ? nil : start + offset)
                offset += value?.count ?? 0
            }
            return unsafe body(pointers, values.map { Int32(clamping: $0?.count ?? 0) })
        }
    }

    private func check(_ result: OpaquePointer?) throws(ServerError) {
        guard let result = unsafe result else { throw connectionError() }
        if let error = unsafe ServerResult(result).error { throw settled(error) }
    }

    /// A lost connection takes precedence over the error.
    private func settled(_ error: ServerError) -> ServerError {
        isLost ? ServerError(state: "", message: error.message) : error
    }

    // MARK: Reading

    private func finishReading() throws(ServerError) {
        defer { reading = nil }
        try reading?.collect()
        dropResults()
    }

    /// Next result of the running statement; nil after the last.
    func nextResult() throws(ServerError) -> ServerResult? {
        guard let pointer = unsafe PQgetResult(pointer) else { return nil }
        let result = unsafe ServerResult(pointer)
        guard let error = result.error else { return result }
        dropResults()
        throw settled(error)
    }

    private func dropResults() {
        while let rest = unsafe PQgetResult(pointer) {
            let isCopying = unsafe PQresultStatus(rest) == PGRES_COPY_IN
            unsafe PQclear(rest)
            // A COPY that cannot be ended always has another result; the next PQexec ends it.
            if isCopying { return }
        }
    }
}

/// A prepared statement, valid as long as the session.
public struct ServerStatement: Hashable, Sendable {
    let name: String
    /// OIDs of the parameters' types.
    public let parameterTypes: [UInt32]
}
