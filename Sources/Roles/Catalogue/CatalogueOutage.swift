internal import Broker
internal import Library
internal import Telemetry

/// An error that a cataloguer waits out where it runs as a service.
enum CatalogueOutage {
    /// The broker does not answer.
    case broker(BrokerError)
    /// The library cannot be written.
    case library(LibraryError)

    /// Nil for an error that ends the cataloguer.
    init?(_ error: any Error) {
        switch error {
        case let error as BrokerError where error.isTransient: self = .broker(error)
        case let error as LibraryError where error.kind == .diskFull || error.kind == .unavailable:
            self = .library(error)
        default: return nil
        }
    }
}

/// Says why a cataloguer waits: once for each cause that follows another, and again after a while, not at each attempt.
struct CatalogueOutageLog {
    private let log: Logger
    private var last: (message: String, time: ContinuousClock.Instant)?

    /// After so long it is said again.
    private static let pause = Duration.seconds(60)

    init(_ log: Logger) { self.log = log }

    /// An unreachable broker is a warning, because brokers come and go. A library that cannot be written is an error,
    /// because a person has to act.
    mutating func write(_ outage: CatalogueOutage) {
        switch outage {
        case .broker(let error): write("\(error)") { $0.warning(.brokerUnavailable, [.message: "\($1)"]) }
        case .library(let error): write("\(error)") { $0.error(.storageUnavailable, [.message: "\($1)"]) }
        }
    }

    private mutating func write(_ message: String, _ write: (Logger, String) -> Void) {
        if let last, last.message == message, .now - last.time < Self.pause { return }
        last = (message, .now)
        write(log, message)
    }
}
