import Clock
import Runs
import Telemetry

enum PlanText {
    static func sentence(_ plan: RunPlan) -> String {
        let parts = [
            (plan.new, "new"), (plan.changed, "changed"), (plan.again, "to retry"),
            (plan.pending, "continued"), (plan.unchanged, "unchanged"), (plan.failedBefore, "failed before"),
            (plan.unreadable, "unreadable"), (plan.notRaw, "not RAW"),
            (plan.links, plan.links == 1 ? "link skipped" : "links skipped"),
            (plan.excluded, "excluded"), (plan.ratedLower, "rated lower"),
        ]
        let shown = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return plan.isEmpty ? nothing(plan) : "Plan: " + shown.joined(separator: ", ") + "."
    }

    private static func nothing(_ plan: RunPlan) -> String {
        let left = plan.excluded + plan.ratedLower
        if left > 0 { return "Nothing to convert: \(SummaryText.counted(left, "file")) left out." }
        let others = plan.notRaw > 0 ? ", only \(SummaryText.counted(plan.notRaw, "other file"))" : ""
        return "The sources contain no RAW files\(others)."
    }
}

enum SummaryText {
    static func sentence(_ summary: RunSummary) -> String {
        let done = summary.completed + summary.degraded
        var parts = ["\(counted(done, "photo")) in \(summary.elapsed.spoken)"]
        if done > 0 { parts[0] += " (\(NumberText.decimal(summary.photosPerSecond, places: 1)) a second)" }
        if summary.reused > 0 { parts.append(reused(Int64(summary.reused))) }
        if summary.unchanged > 0 { parts.append("\(summary.unchanged) unchanged") }
        if summary.degraded > 0 { parts.append("\(summary.degraded) degraded") }
        if summary.failed > 0 { parts.append("\(summary.failed) failed") }
        if summary.failedBefore > 0 { parts.append("\(summary.failedBefore) failed before") }
        if summary.unreadable > 0 { parts.append("\(summary.unreadable) unreadable") }
        if summary.unplaced > 0 { parts.append("\(summary.unplaced) not placed") }
        if summary.kept > 0 { parts.append("\(summary.kept) skipped because the name is taken") }
        if summary.open > 0 { parts.append("\(summary.open) remaining") }
        let place = done + summary.unchanged > 0 ? "\nThe photos are in \(TerminalText.escape(summary.photos))." : ""
        return "Converted " + parts.joined(separator: ", ") + "." + place
    }

    /// Photos of RAWs that the library had seen at another path.
    static func reused(_ count: Int64) -> String {
        counted(Int(clamping: count), "photo already existed", "photos already existed")
    }

    /// A number and its noun: `1 photo`, `2 photos`, `1 job is open`.
    ///
    /// - Parameter things: the plural; nil to append an s.
    static func counted(_ count: Int, _ thing: String, _ things: String? = nil) -> String {
        count == 1 ? "1 \(thing)" : "\(count) \(things ?? thing + "s")"
    }
}
