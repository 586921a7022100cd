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

extension OutageLog {
    /// An unreachable broker is a warning, because brokers come and go. A library that cannot be written is an error,
    /// because a person has to act.
    func write(_ outage: CatalogueOutage) {
        switch outage {
        case .broker(let error):
            waits(for: nil)
            write(.warning, .brokerUnavailable, "\(error)")
        case .library(let error):
            let goesOn = "\(error.account) Free some space; the cataloguer goes on by itself."
            let message = error.kind == .diskFull ? goesOn : "\(error)"
            waits(for: message)
            write(.error, .storageUnavailable, message)
        }
    }
}
