public import Clock
internal import Synchronization

/// Reports a role to a service manager: readiness, status, liveness and stopping, as in `/readyz` and `/healthz`.
///
/// A role that starts and makes progress gets the time it needs. A role that hangs reports it and sends no more signs
/// of life, so that the manager restarts it.
public final class ServiceNotifier: Sendable {
    private struct State {
        var isReady = false
        var isStopping = false
        var status = ""
    }

    private let manager: ServiceManager
    private let readiness: Readiness
    private let heartbeat: Heartbeat
    private let refresh: @Sendable () -> Void
    private let state = Mutex(State())

    private static let maxInterval = Duration.seconds(5)
    /// Interval until it is ready, so that dependent units start soon.
    private static let startInterval = Duration.milliseconds(500)
    /// Extension that a starting role requests with each sign of life: much longer than the interval, even on a busy
    /// machine.
    private static let startExtension = Duration.seconds(60)
    private static let maxStatusBytes = 500

    /// - Parameter refresh: updates `readiness`; must not wait long.
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

    /// Reports that the role finishes its current work and ends. The role's own deadline ends it otherwise.
    public func stopping() {
        state.withLock { $0.isStopping = true }
        manager.send(["STOPPING=1", "STATUS=finishing its current work"])
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

    private static func status(_ problems: [String], _ overdue: Heartbeat.Overdue?) -> String {
        let lines = overdue.map { ["\($0)"] } ?? (problems.isEmpty ? ["ready"] : problems)
        let line = lines.joined(separator: "; ").map { $0.isNewline ? " " : $0 }
        return String(decoding: String(line).utf8.prefix(maxStatusBytes), as: UTF8.self)
    }
}
