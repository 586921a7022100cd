import Arguments
internal import Broker
import Clock
import ClusterControl
import CommandLineTool
import Jobs
import KafkaBroker
import Manifests
import Telemetry

/// `rawmill retry --broker URL`: makes a cluster's coordinator reopen failed jobs.
enum ClusterRetry {
    /// Waits a while for the coordinator to do so. Returns the exit status.
    static func run(
        _ filter: RetryFilter, with sender: ControlSender, patience: Duration, asJSON: Bool
    ) async throws -> Int32 {
        guard let position = try await sender.send(.retry(filter)) else { return ExitStatus.fault }
        var effect = CommandEffect(of: position)
        let deadline = ContinuousClock.now + patience
        _ = try await ClusterStatus.following(sender.transport) { status in
            effect.update(status)
            return effect.isCarriedOut || ContinuousClock.now >= deadline
        }
        await sender.transport.close()
        let open = effect.coordinator?.counts.open ?? 0
        if asJSON {
            TextOutput.standardOutput.write(
                event: "retried",
                [
                    "carriedOut": effect.isCarriedOut,
                    "open": open,
                ])
        } else {
            TextOutput.standardOutput.write(line: sentence(effect.isCarriedOut, open, patience))
        }
        return effect.isCarriedOut ? ExitStatus.done : ExitStatus.someFailed
    }

    private static func sentence(_ isCarriedOut: Bool, _ open: Int, _ patience: Duration) -> String {
        guard isCarriedOut else {
            return
                "No coordinator accepted the retry within \(patience.spoken). One will once it runs: "
                + "rawmill coordinator"
        }
        return open == 0
            ? "There is nothing to retry."
            : "Failed jobs are retried. Open in the cluster: \(SummaryText.counted(open, "job"))."
    }
}
