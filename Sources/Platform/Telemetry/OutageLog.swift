internal import Synchronization

/// Logs why a role waits: once for each new cause, not at each attempt. Logs the duration when the wait ends.
public final class OutageLog: Sendable {
    private struct State {
        var last: (message: String, time: ContinuousClock.Instant)?
        var start: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let log: Logger
    private let endMessage: String
    private let observe: @Sendable (String?) -> Void

    /// Interval after which a warning or an error is repeated.
    private static let pause = Duration.seconds(60)

    /// - Parameters:
    ///   - end: message logged when the outage ends.
    ///   - observe: receives each cause that needs an operator, and nil when the outage ends.
    public init(_ log: Logger, end: String, _ observe: @escaping @Sendable (String?) -> Void) {
        self.log = log
        endMessage = end
        self.observe = observe
    }

    /// True between the first cause and `ended`.
    public var isWaiting: Bool { state.withLock { $0.start != nil } }

    /// Reports that work waits. The first call starts the outage.
    ///
    /// - Parameter cause: what an operator has to fix; nil for a temporary cause.
    public func waits(for cause: String?) {
        state.withLock { $0.start = $0.start ?? .now }
        if let cause { observe(cause) }
    }

    /// Logs a message, unless it repeats the last one.
    public func write(_ level: Level, _ event: Event, _ message: String) {
        let isNew = state.withLock { state in
            if let last = state.last, last.message == message, level < .warning || .now - last.time < Self.pause {
                return false
            }
            state.last = (message, .now)
            return true
        }
        if isNew { log.log(level, event, [.message: "\(message)"]) }
    }

    /// Ends the outage. Logged as a warning, so that it appears wherever its causes do.
    public func ended(at end: ContinuousClock.Instant = .now) {
        let start = state.withLock { state in
            state.last = nil
            return state.start.take()
        }
        guard let start else { return }
        observe(nil)
        let time = max(.zero, end - start)
        log.warning(
            .outageEnded,
            [.milliseconds: LogValue(Int64(time / .milliseconds(1))), .message: "\(endMessage)"])
    }
}
