internal import Broker
internal import Clock
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

/// Says why a cataloguer waits: once for each cause that follows another, and again after a while, not at each attempt. And when
/// it waits no more, for how long it did.
struct CatalogueOutageLog {
    private let log: Logger
    private let observe: @Sendable (String?) -> Void
    private var last: (message: String, time: ContinuousClock.Instant)?
    /// Since the first of the causes.
    private var waiting: Stopwatch?

    /// After so long it is said again.
    private static let pause = Duration.seconds(60)

    /// - Parameter observe: gets why the library cannot be written, and nil when the work goes on.
    init(_ log: Logger, _ observe: @escaping @Sendable (String?) -> Void) {
        self.log = log
        self.observe = observe
    }

    /// True between the first cause and `ended`.
    var isWaiting: Bool { waiting != nil }

    /// An unreachable broker is a warning, because brokers come and go. A library that cannot be written is an error,
    /// because a person has to act.
    mutating func write(_ outage: CatalogueOutage) {
        waiting = waiting ?? Stopwatch()
        switch outage {
        case .broker(let error): write("\(error)") { $0.warning(.brokerUnavailable, [.message: "\($1)"]) }
        case .library(let error):
            let message = Self.text(error)
            observe(message)
            write(message) { $0.error(.storageUnavailable, [.message: "\($1)"]) }
        }
    }

    /// The work goes on. As important as what it ends, for people who wait.
    mutating func ended() {
        guard let time = waiting?.elapsed else { return }
        (waiting, last) = (nil, nil)
        observe(nil)
        log.warning(
            .outageEnded,
            [
                .milliseconds: LogValue(Int64(time / .milliseconds(1))),
                .message: "The cataloguer goes on with its work.",
            ])
    }

    /// Nobody has to run it again where a disk was full.
    private static func text(_ error: LibraryError) -> String {
        error.kind == .diskFull ? "\(error.account) Free some space; the cataloguer goes on by itself." : "\(error)"
    }

    private mutating func write(_ message: String, _ write: (Logger, String) -> Void) {
        if let last, last.message == message, .now - last.time < Self.pause { return }
        last = (message, .now)
        write(log, message)
    }
}
