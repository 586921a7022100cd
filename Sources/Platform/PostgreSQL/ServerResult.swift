internal import CPostgreSQL

/// A libpq result, cleared with the object. Safe: the pointer is private and valid as long as the object.
@safe final class ServerResult {
    /// Valid from `init` to `deinit`.
    private let pointer: OpaquePointer
    let rowCount: Int32
    let columnCount: Int32

    /// - Parameter pointer: ownership passes to this object.
    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        rowCount = unsafe PQntuples(pointer)
        columnCount = unsafe PQnfields(pointer)
    }

    deinit { unsafe PQclear(pointer) }

    var error: ServerError? {
        switch unsafe PQresultStatus(pointer) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY, PGRES_COPY_IN: return nil
        default:
            // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY are macros that Swift does not import.
            let state = field("C") ?? ""
            let message = unsafe field("M") ?? String(cString: PQresultErrorMessage(pointer))
            return ServerError(state: state, message: message)
        }
    }

    private func field(_ code: Unicode.Scalar) -> String? {
        unsafe PQresultErrorField(pointer, Int32(code.value)).map { unsafe String(cString: $0) }
    }

    /// Number of rows that the statement changed or returned.
    var changedRowCount: Int { unsafe Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    var parameterTypes: [UInt32] { unsafe (0..<PQnparams(pointer)).map { unsafe PQparamtype(pointer, $0) } }

    func columnType(_ column: Int32) -> UInt32 { unsafe PQftype(pointer, column) }

    func isNull(_ row: Int32, _ column: Int32) -> Bool { unsafe PQgetisnull(pointer, row, column) != 0 }

    func bytes(_ row: Int32, _ column: Int32) -> [UInt8] {
        let count = Int(unsafe PQgetlength(pointer, row, column))
        return unsafe Array(UnsafeRawBufferPointer(start: PQgetvalue(pointer, row, column), count: count))
    }
}
