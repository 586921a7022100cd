internal import Broker
internal import LibraryTables
internal import Telemetry

/// An error that a cataloguer waits out when it runs as a service.
enum CatalogueOutage {
    case broker(BrokerError)
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
    /// An unreachable broker is a warning, because it usually recovers. An unwritable library is an error, because it
    /// needs an operator.
    func write(_ outage: CatalogueOutage) {
        switch outage {
        case .broker(let error):
            waits(for: nil)
            write(.warning, .brokerUnavailable, "\(error)")
        case .library(let error):
            let goesOn = "\(error.account) Free some space; the cataloguer then continues."
            let message = error.kind == .diskFull ? goesOn : "\(error)"
            waits(for: message)
            write(.error, .storageUnavailable, message)
        }
    }
}
