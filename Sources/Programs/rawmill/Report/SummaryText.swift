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
        let names = SummaryText.counted(plan.excluded, "file or folder", "files and folders")
        switch (plan.ratedLower, plan.excluded) {
        case (0, 0): break
        case (1, 0): return "The only RAW file \(rating(plan)); nothing to convert."
        case (let raws, 0): return "All \(raws) RAW files \(rating(plan)); nothing to convert."
        case (0, _): return "--exclude leaves out \(names); nothing to convert."
        case (let raws, _):
            return "\(SummaryText.counted(raws, "RAW file")) \(rating(plan)), and --exclude leaves out \(names); "
                + "nothing to convert."
        }
        guard plan.notRaw > 0 else { return "The sources contain no RAW files. Is their storage mounted?" }
        return "The sources contain no RAW files, only \(SummaryText.counted(plan.notRaw, "other file"))."
    }

    private static func rating(_ plan: RunPlan) -> String {
        let isOne = plan.ratedLower == 1
        return switch plan.leastRating ?? 0 {
        case ...0: isOne ? "is rejected" : "are rejected"
        case 1: isOne ? "has no stars" : "have no stars"
        case let least: "\(isOne ? "has" : "have") fewer than \(least) stars"
        }
    }
}

enum SummaryText {
    static func sentence(_ summary: RunSummary, on terminal: Terminal) -> String {
        func part(_ count: Int, _ words: String, _ style: Style) -> [String] {
            count > 0 ? [style.apply("\(count) \(words)", on: terminal)] : []
        }
        let done = summary.completed + summary.degraded
        var parts = ["\(counted(done, "photo")) in \(summary.elapsed.spoken)"]
        if done > 0 { parts[0] += " (\(NumberText.decimal(summary.photosPerSecond, places: 1)) a second)" }
        if summary.reused > 0 { parts.append(reused(Int64(summary.reused))) }
        if summary.unchanged > 0 { parts.append("\(summary.unchanged) unchanged") }
        parts += part(summary.degraded, "degraded", .yellow) + part(summary.failed, "failed", .red)
        parts += part(summary.failedBefore, "failed before", .yellow) + part(summary.unreadable, "unreadable", .red)
        parts += part(summary.unplaced, "not placed", .red)
        parts += part(summary.kept, "skipped because the name is taken", .yellow)
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
