import Manifests
import Telemetry

/// The number of jobs in each state, in the form that all reports use.
enum CountsText {
    static func sentence(_ counts: JobCounts) -> String {
        "\(counts.accepted) accepted = \(counts.catalogued) catalogued + \(counts.degraded) degraded + "
            + "\(counts.failed) failed + \(counts.cancelled) cancelled + \(counts.open) open"
    }

}

extension JSONFields {
    init(counts: JobCounts) {
        self = [
            "accepted": counts.accepted, "completed": counts.catalogued, "degraded": counts.degraded,
            "failed": counts.failed, "cancelled": counts.cancelled, "open": counts.open,
        ]
    }
}
