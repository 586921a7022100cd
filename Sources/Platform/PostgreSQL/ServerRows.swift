/// The rows of a statement, with a cursor. Columns count from 0.
public final class ServerRows {
    private let session: ServerSession
    /// The current rows: all of a result, or one when streaming.
    private var result: ServerResult?
    private var row: Int32 = -1
    private var isComplete = false
    /// Rows collected because another statement was run.
    private var collected: [CollectedRow] = []
    private var nextCollected = 0
    private var current: CollectedRow?
    private var types: [UInt32] = []
    /// Number of rows that the statement changed; valid at its end.
    public private(set) var changedRowCount = 0

    init(of session: ServerSession) { self.session = session }

    /// A row's values in one buffer: a libpq result per row would take two kilobytes.
    private struct CollectedRow {
        var bytes: [UInt8] = []
        /// Range of each value; nil for NULL.
        var ranges: [Range<Int>?] = []
    }

    // MARK: Moving

    /// Moves to the next row. Returns false at the end.
    public func next() throws(ServerError) -> Bool {
        current = nil
        if let result, row + 1 < result.rowCount {
            row += 1
            return true
        }
        if nextCollected < collected.count {
            current = collected[nextCollected]
            collected[nextCollected] = CollectedRow()
            nextCollected += 1
            return true
        }
        while !isComplete {
            try fetch()
            if let result, row + 1 < result.rowCount {
                row += 1
                return true
            }
        }
        return false
    }

    /// Takes the next result from the connection: all rows of the statement, or one.
    func fetch() throws(ServerError) {
        do {
            guard let next = try session.nextResult() else {
                isComplete = true
                return
            }
            changedRowCount = next.changedRowCount
            if types.isEmpty { types = (0..<next.columnCount).map(next.columnType) }
            result = next
            row = -1
        } catch {
            isComplete = true
            throw error
        }
    }

    /// Reads the remaining rows, so that the connection can run another statement.
    func collect() throws(ServerError) {
        while !isComplete {
            do {
                guard let next = try session.nextResult() else {
                    isComplete = true
                    return
                }
                changedRowCount = next.changedRowCount
                for row in 0..<next.rowCount { collected.append(Self.collected(next, row)) }
            } catch {
                isComplete = true
                throw error
            }
        }
    }

    /// Discards the remaining rows.
    public func finish() {
        collected.removeAll()
        nextCollected = 0
        while !isComplete {
            do { isComplete = try session.nextResult() == nil } catch { isComplete = true }
        }
    }

    private static func collected(_ result: ServerResult, _ row: Int32) -> CollectedRow {
        var copy = CollectedRow()
        for column in 0..<result.columnCount {
            if result.isNull(row, column) {
                copy.ranges.append(nil)
                continue
            }
            let start = copy.bytes.count
            copy.bytes += result.bytes(row, column)
            copy.ranges.append(start..<copy.bytes.count)
        }
        return copy
    }

    // MARK: Values of the current row

    /// OID of a column's type.
    public func type(_ column: Int32) -> UInt32 { types.indices.contains(Int(column)) ? types[Int(column)] : 0 }

    /// True for NULL, and for columns that do not exist.
    public func isNull(_ column: Int32) -> Bool {
        guard types.indices.contains(Int(column)) else { return true }
        if let current { return current.ranges[Int(column)] == nil }
        return result.map { row < 0 || $0.isNull(row, column) } ?? true
    }

    /// Value in PostgreSQL's binary format; nil for NULL.
    public func bytes(_ column: Int32) -> [UInt8]? {
        if isNull(column) { return nil }
        if let current { return current.ranges[Int(column)].map { Array(current.bytes[$0]) } }
        return result?.bytes(row, column)
    }
}
