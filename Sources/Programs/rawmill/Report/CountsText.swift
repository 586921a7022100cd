import Manifests
import Telemetry

/// The number of jobs in each state, in the form that all reports use.
enum CountsText {
    static func sentence(_ counts: JobCounts) -> String {
        "\(counts.accepted) accepted = \(counts.catalogued) catalogued + \(counts.degraded) degraded + "
            + "\(counts.failed) failed + \(counts.cancelled) cancelled + \(counts.open) open"
    }

    static func write(_ counts: JobCounts, to json: inout JSONWriter) {
        json.field("accepted", counts.accepted)
        json.field("completed", counts.catalogued)
        json.field("degraded", counts.degraded)
        json.field("failed", counts.failed)
        json.field("cancelled", counts.cancelled)
        json.field("open", counts.open)
    }
}
