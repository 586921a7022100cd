public import Clock
internal import Synchronization

/// Keeps a service manager informed of a role: that it is ready, how it does, that it lives, and that it ends. What it says
/// is what `/readyz` and `/healthz` say.
///
/// A role that starts and makes progress is given the time it needs. One that hangs says so and is not reported as living
/// any more, so that the manager starts it anew.
public final class ServiceNotifier: Sendable {
    private struct State {
        var isReady = false
        var isStopping = false
        /// What was said last about how the role does.
        var status = ""
    }

    private let manager: ServiceManager
    private let readiness: Readiness
    private let heartbeat: Heartbeat
    private let refresh: @Sendable () -> Void
    private let state = Mutex(State())

    /// Time between two looks at the role, at most.
    private static let maxInterval = Duration.seconds(5)
    /// Before it is ready, so that those who wait for it go on soon.
    private static let startInterval = Duration.milliseconds(500)
    /// What a role that is starting asks for with each sign of life. Much longer than the interval, on a busy machine too.
    private static let startExtension = Duration.seconds(60)
    private static let maxStatusBytes = 500

    /// - Parameters:
    ///   - refresh: updates what `readiness` says. Must not wait long.
    public init(
        _ manager: ServiceManager, readiness: Readiness, heartbeat: Heartbeat,
        refresh: @escaping @Sendable () -> Void = {}
    ) {
        self.manager = manager
        self.readiness = readiness
        self.heartbeat = heartbeat
        self.refresh = refresh
    }

    /// Informs the manager until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            inform()
            let interval = min(Self.maxInterval, manager.watchdog.map { $0 / 2 } ?? Self.maxInterval)
            try? await Task.sleep(for: state.withLock { $0.isReady } ? interval : min(interval, Self.startInterval))
        }
    }

    /// Says that the role finishes what it has begun, and ends. Its own deadline ends it if it does not.
    public func stopping() {
        state.withLock { $0.isStopping = true }
        manager.send(["STOPPING=1", "STATUS=finishes what it has begun"])
    }

    private func inform() {
        refresh()
        let (problems, overdue) = (readiness.problems, heartbeat.overdue)
        let before = state.withLock { $0 }
        if before.isStopping {
            manager.send(["WATCHDOG=1"])
            return
        }
        var now = before
        now.isReady = before.isReady || (problems.isEmpty && overdue == nil)
        now.status = Self.status(problems, overdue)
        var assignments: [String] = []
        if now.isReady != before.isReady { assignments.append("READY=1") }
        if now.status != before.status { assignments.append("STATUS=\(now.status)") }
        if overdue == nil {
            assignments.append("WATCHDOG=1")
            if !now.isReady {
                assignments.append("EXTEND_TIMEOUT_USEC=\(Self.startExtension.wholeMicroseconds)")
            }
        }
        guard !assignments.isEmpty, manager.send(assignments) else { return }
        let sent = now
        state.withLock { state in (state.isReady, state.status) = (sent.isReady, sent.status) }
    }

    /// One line, as the manager shows it.
    private static func status(_ problems: [String], _ overdue: Heartbeat.Overdue?) -> String {
        let lines = overdue.map { ["\($0)"] } ?? (problems.isEmpty ? ["ready"] : problems)
        let line = lines.joined(separator: "; ").map { $0.isNewline ? " " : $0 }
        return String(decoding: String(line).utf8.prefix(maxStatusBytes), as: UTF8.self)
    }
}
