internal import PostgreSQL

// COPY lets the server parse, plan and respond only once for all rows.

extension PostgreSQLDriver {
    func insert(_ rows: [[DatabaseValue]], into table: String, columns: [String]) throws(DatabaseError) {
        let list = columns.joined(separator: ", ")
        let types = try types(of: columns, in: table)
        let sql = "COPY \(table) (\(list)) FROM STDIN (FORMAT binary)"
        for row in rows {
            precondition(row.count == columns.count, "one value is needed for each of \(list)")
            for (index, value) in row.enumerated() where !ServerValue.fits(value, types[index]) {
                throw DatabaseError(
                    kind: .refused,
                    message:
                        "a value of the column \(columns[index]) is not of type \(ServerValue.name(of: types[index]))",
                    database: address.description, statement: sql)
            }
        }
        let bytes = Self.copyData(rows, types)
        try use(sql, isRepeatable: false) { session throws(ServerError) in try session.copy(sql, from: bytes) }
    }

    /// COPY converts nothing: values must have the columns' types.
    private func types(of columns: [String], in table: String) throws(DatabaseError) -> [UInt32] {
        let values = (1...max(1, columns.count)).map { "$\($0)" }.joined(separator: ", ")
        let sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))"
        return try use(sql, isRepeatable: true) { session throws(ServerError) in
            try session.prepare(sql, isKept: false).parameterTypes
        }
    }

    /// COPY's binary format (PostgreSQL's manual, "COPY", "File Formats").
    private static func copyData(_ rows: [[DatabaseValue]], _ types: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0]
        // No flags, no header extension.
        ServerValue.append(UInt64(0), to: &bytes)
        for row in rows {
            ServerValue.append(UInt16(row.count), to: &bytes)
            for (value, type) in zip(row, types) { ServerValue.append(value, as: type, to: &bytes) }
        }
        ServerValue.append(UInt16.max, to: &bytes)
        return bytes
    }
}
