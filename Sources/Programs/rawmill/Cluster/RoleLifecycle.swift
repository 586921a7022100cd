import Clock
import CommandLineTool
import Concurrency
import Glibc
import KafkaBroker
import Telemetry

/// Runs a role as a process. The role works until a signal tells it to end (SIGTERM, Ctrl-C), and then finishes what it has
/// begun. A second signal ends the process at once.
///
/// All of the end has one deadline, `drainTime` after the signal, whatever is broken: what is rendered is stopped a little
/// before it, so that there is time to say goodbye; at the deadline nothing waits for Kafka any more; and a process that
/// something else holds up, such as a hanging mount, ends soon after. Ending so is safe: what was acknowledged is durable,
/// and the rest is done again.
struct RoleLifecycle: Sendable {
    let log: Logger
    let transport: KafkaTransport
    /// The longest time from the signal to the end.
    var drainTime = Duration.seconds(25)

    /// The part of it for committing, leaving the groups and closing.
    private static let farewell = Duration.seconds(3)
    /// Time after the deadline in which every part notices that it has passed.
    private static let grace = Duration.seconds(2)

    /// From here on until `run`, a signal ends the process at once with status 0: nothing has been begun that could be finished.
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
            // What the deadline cut off is done again.
            log.warning(.roleEnded, [.message: "\(error)"])
            return ExitStatus.done
        }
        log.info(.roleEnded)
        return ExitStatus.done
    }

    /// Ends the process at that time, if it is still there. It has a thread of its own, so that nothing can hold it up.
    private static func endProcess(at time: ContinuousClock.Instant, _ log: Logger) {
        _ = SystemThread(name: "drain-deadline") {
            while ContinuousClock.now < time { usleep(100_000) }
            log.warning(.roleStoppedAtOnce, [.message: "something did not end in time"])
            _exit(ExitStatus.interrupted)
        }
    }
}
