internal import Synchronization

/// Says why a role waits: once for each cause that follows another, not at each attempt. And when it waits no more, for how long
/// it did.
public final class OutageLog: Sendable {
    private struct State {
        var last: (message: String, time: ContinuousClock.Instant)?
        /// Since the first of the causes.
        var start: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    private let log: Logger
    private let endMessage: String
    private let observe: @Sendable (String?) -> Void

    /// After so long a warning or an error is written again.
    private static let pause = Duration.seconds(60)

    /// - Parameters:
    ///   - end: what is said when it waits no more.
    ///   - observe: gets each cause that a person has to mend, and nil when it waits no more.
    public init(_ log: Logger, end: String, _ observe: @escaping @Sendable (String?) -> Void) {
        self.log = log
        endMessage = end
        self.observe = observe
    }

    /// True between the first cause and `ended`.
    public var isWaiting: Bool { state.withLock { $0.start != nil } }

    /// Notes that the work waits, since the first call.
    ///
    /// - Parameter cause: what a person has to mend; nil for what passes by itself.
    public func waits(for cause: String?) {
        state.withLock { $0.start = $0.start ?? .now }
        if let cause { observe(cause) }
    }

    /// Writes a line, unless it was the last one.
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

    /// The work goes on. As important as what it ends, for people who wait.
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
