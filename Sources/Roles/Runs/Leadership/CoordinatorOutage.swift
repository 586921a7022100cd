package import Database
internal import LibraryTables
internal import Telemetry

/// An error that a coordinator waits out: of the ledger's server, or of a full disk.
package struct CoordinatorOutage: Error {
    package let kind: DatabaseError.Kind
    let cause: String
    let isServers: Bool

    /// Nil for an error that waiting does not resolve.
    package init?(_ error: any Error) {
        if let error = error as? LibraryError, case .storage = error, error.kind == .diskFull {
            self.init(.diskFull, error.account, isServers: false)
            return
        }
        let found: DatabaseError? =
            if case .database(let inner)? = error as? LibraryError { inner } else { error as? DatabaseError }
        guard let found else { return nil }
        guard found.isServers else {
            guard found.kind == .diskFull else { return nil }
            self.init(.diskFull, found.account, isServers: false)
            return
        }
        switch found.kind {
        case .busy, .unreachable, .exhausted, .notTrusted, .conflict, .diskFull: break
        case .corrupt, .readOnly, .cannotOpen, .diskFailed, .newerSchema, .refused, .other: return nil
        }
        self.init(found.kind, found.kind == .busy ? found.message : found.description, isServers: true)
    }

    private init(_ kind: DatabaseError.Kind, _ cause: String, isServers: Bool) {
        self.kind = kind
        self.cause = isServers ? cause : "\(cause) Free some space; the coordinator then continues."
        self.isServers = isServers
    }
}

extension OutageLog {
    /// Another leading coordinator is not an outage.
    func begins(_ outage: CoordinatorOutage) { if outage.kind != .busy { waits(for: outage.cause) } }

    func write(_ outage: CoordinatorOutage) {
        begins(outage)
        guard outage.kind == .busy else {
            return write(.error, outage.isServers ? .databaseUnavailable : .storageUnavailable, outage.cause)
        }
        if isWaiting { ended() }
        write(.info, .coordinatorStandsBy, "\(outage.cause); standing by to take over")
    }
}
