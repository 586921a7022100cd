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

    /// An unreachable broker is a warning, because brokers come and go. A library that cannot be written is an error,
    /// because a person has to act.
    func write(to log: Logger) {
        switch self {
        case .broker(let error): log.warning(.brokerUnavailable, [.message: "\(error)"])
        case .library(let error): log.error(.storageUnavailable, [.message: "\(error)"])
        }
    }
}
