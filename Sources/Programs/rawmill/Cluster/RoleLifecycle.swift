import Clock
import CommandLineTool
import Telemetry

/// Runs a role as a process. The role works until a signal tells it to end (SIGTERM, Ctrl-C), and then finishes what it has
/// begun. What takes too long is stopped. A second signal ends the process at once.
struct RoleLifecycle: Sendable {
    let log: Logger
    /// The longest time to finish what was begun.
    var drainTime = Duration.seconds(25)

    /// - Parameters:
    ///   - stop: asks the work to finish; called once, from any thread.
    ///   - abort: asks it to end with work unfinished.
    ///   - work: returns when it is done.
    /// - Returns: the process's exit status.
    func run(
        stop: @escaping @Sendable () -> Void, abort: @escaping @Sendable () -> Void,
        work: () async throws -> Void
    ) async throws -> Int32 {
        let (log, drainTime) = (log, drainTime)
        Interrupts.shared.handle {
            log.info(.roleDraining, [.limitMilliseconds: .init(drainTime.wholeMilliseconds)])
            stop()
            Task {
                try? await Task.sleep(for: drainTime)
                abort()
            }
        } last: {
            log.warning(.roleStoppedAtOnce)
        }
        log.info(.roleStarted, [.version: "\(Version.number)"])
        do {
            try await work()
        } catch {
            log.error(.roleEnded, [.message: "\(error)"])
            throw error
        }
        log.info(.roleEnded)
        return ExitStatus.done
    }
}
