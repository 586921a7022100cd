internal import PostgreSQL

extension DatabaseError {
    init(_ error: ServerError, database: String, statement: String?) {
        let kind: Kind =
            switch error.kind {
            case .unreachable: .unreachable
            case .exhausted: .exhausted
            case .notTrusted: .notTrusted
            case .notAdmitted: .cannotOpen
            case .conflict: .conflict
            case .busy: .busy
            case .diskFull: .diskFull
            case .readOnly: .readOnly
            case .corrupt: .corrupt
            case .refused: .refused
            case .other: .other
            }
        self.init(kind: kind, message: "\(error)", database: database, statement: statement)
    }
}
