import Database
import Library
import Synchronization
import Telemetry

/// An error that a coordinator waits out: of the server that has the ledger, or a disk without space.
struct CoordinatorOutage: Error {
    let kind: DatabaseError.Kind
    let cause: String
    let isServers: Bool

    /// Nil for an error that waiting does not cure.
    init?(_ error: any Error) {
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
        case .corrupt, .readOnly, .cannotOpen, .newerSchema, .refused, .other: return nil
        }
        self.init(found.kind, found.kind == .busy ? found.message : found.description, isServers: true)
    }

    private init(_ kind: DatabaseError.Kind, _ cause: String, isServers: Bool) {
        self.kind = kind
        self.cause = isServers ? cause : "\(cause) Free some space; the coordinator goes on by itself."
        self.isServers = isServers
    }
}

/// Says once why a coordinator waits, not every second, and for how long it did when it waits no more.
final class CoordinatorOutageLog: Sendable {
    private struct State {
        var last: String?
        /// Since the server is away, or the disk full.
        var start: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let log: Logger
    private let observe: @Sendable (String?) -> Void

    /// - Parameter observe: gets what it waits for, and nil when it waits no more.
    init(_ log: Logger, _ observe: @escaping @Sendable (String?) -> Void) {
        self.log = log
        self.observe = observe
    }

    /// Another coordinator's turn is no outage.
    func begins(_ outage: CoordinatorOutage) {
        if outage.kind == .busy { return }
        state.withLock { $0.start = $0.start ?? .now }
        observe(outage.cause)
    }

    /// The work goes on, or another coordinator does it. As important as what it ends, for people who wait.
    func ended(at end: ContinuousClock.Instant = .now) {
        let start = state.withLock { state in
            state.last = nil
            defer { state.start = nil }
            return state.start
        }
        guard let start else { return }
        observe(nil)
        log.warning(
            .outageEnded,
            [
                .milliseconds: LogValue(Int64(max(.zero, end - start) / .milliseconds(1))),
                .message: "The ledger can be written again.",
            ])
    }

    func note(_ outage: CoordinatorOutage) {
        begins(outage)
        let isNew = state.withLock { state in
            defer { state.last = outage.cause }
            return state.last != outage.cause
        }
        guard isNew else { return }
        if outage.kind == .busy {
            ended()
            state.withLock { $0.last = outage.cause }
            log.info(.coordinatorStandsBy, [.message: "\(outage.cause); waiting to take its place"])
        } else {
            log.error(outage.isServers ? .databaseUnavailable : .storageUnavailable, [.message: "\(outage.cause)"])
        }
    }
}
