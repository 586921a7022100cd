import Clock
import CommandLineTool
import Concurrency
import Glibc
import KafkaBroker
import Telemetry

/// Runs a role as a process, until SIGTERM or Ctrl-C. The role then finishes its work in progress; a second signal ends
/// the process at once.
///
/// The whole end has one deadline, `drainTime` after the signal, whichever part hangs: renders are stopped a little
/// earlier to leave time for commits; at the deadline nothing waits for Kafka any more; a process that something else
/// blocks, such as a hanging mount, ends soon after. That is safe: acknowledged work is durable, and the rest is
/// repeated.
struct RoleLifecycle: Sendable {
    let log: Logger
    let transport: KafkaTransport
    /// The maximum time from the signal to the end.
    var drainTime = Duration.seconds(25)

    /// The part of it for committing, leaving the groups and closing.
    private static let farewell = Duration.seconds(3)
    /// The time after the deadline in which every part notices it.
    private static let grace = Duration.seconds(2)

    /// Until `run`, a signal ends the process at once with status 0, because no work has started.
    static func starts() { Interrupts.shared.handle(orderly: { _exit(ExitStatus.done) }, last: {}) }

    /// - Parameters:
    ///   - stop: asks the work to finish; called once, from any thread.
    ///   - abort: asks it to end with work unfinished.
    ///   - work: returns when it is done.
    /// - Returns: the process's exit status.
    func run(
        stop: @escaping @Sendable () -> Void, abort: @escaping @Sendable () -> Void,
        work: () async throws -> Void
    ) async throws -> Int32 {
        let limit = max(drainTime, Self.farewell)
        Interrupts.shared.handle { [log, transport] in
            let end = ContinuousClock.now + limit
            log.info(.roleDraining, [.limitMilliseconds: .init(limit.wholeMilliseconds)])
            transport.end(by: end)
            stop()
            Task {
                try? await Task.sleep(until: end - Self.farewell, clock: .continuous)
                abort()
            }
            Self.endProcess(at: end + Self.grace, log)
        } last: { [log] in
            log.warning(.roleStoppedAtOnce)
        }
        log.info(.roleStarted, [.version: "\(Version.number)"])
        do {
            try await work()
        } catch {
            guard transport.timeLeft == .zero else {
                log.error(.roleEnded, [.message: "\(error)"])
                throw error
            }
            // Work that the deadline cut off is repeated.
            log.warning(.roleEnded, [.message: "\(error)"])
            return ExitStatus.done
        }
        log.info(.roleEnded)
        return ExitStatus.done
    }

    /// Ends the process at that time. Uses a separate thread, which nothing can block.
    private static func endProcess(at time: ContinuousClock.Instant, _ log: Logger) {
        _ = SystemThread(name: "drain-deadline") {
            while ContinuousClock.now < time { usleep(100_000) }
            log.warning(.roleStoppedAtOnce, [.message: "some work did not end in time"])
            _exit(ExitStatus.interrupted)
        }
    }
}
