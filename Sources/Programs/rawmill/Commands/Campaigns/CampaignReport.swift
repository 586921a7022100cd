import Campaigns
internal import LibraryTables
import Telemetry

enum CampaignReport {
    private static let output = TextOutput.standardOutput

    static func write(_ campaign: Campaign, _ progress: Campaigns.Progress?, asJSON: Bool) {
        guard !asJSON else {
            return output.write(
                event: "campaign",
                [
                    "name": campaign.name,
                    "state": word(campaign.state),
                    "where": campaign.selection,
                    "changes": campaign.changes,
                    "engine": campaign.engine,
                    "photos": progress?.photos,
                    "rendered": progress?.rendered,
                    "shown": progress?.shown,
                    "bytes": progress?.bytes,
                ])
        }
        var text = "\(campaign.name): \(word(campaign.state))"
        if !campaign.selection.isEmpty { text += ", where \(campaign.selection)" }
        if !campaign.changes.isEmpty { text += ", \(campaign.changes)" }
        output.write(line: TerminalText.escape(text))
        guard let progress else { return }
        output.write(
            line: "  \(SummaryText.counted(progress.photos, "photo")), \(progress.rendered) rendered "
                + "(\(NumberText.bytes(progress.bytes))), \(progress.shown) shown")
        let left = progress.photos - progress.rendered
        if left > 0, let estimate = estimate(campaign, photos: left) { output.write(line: "  \(estimate)") }
    }

    /// A plan.
    ///
    /// - Parameter slots: the number of render processes for the time estimate.
    static func write(_ plan: Campaigns.Plan, of name: String, slots: Int, asJSON: Bool) {
        let toRender = plan.cameras.values.reduce(0, +)
        guard !asJSON else {
            let cameras = plan.cameras.sorted { $0.key < $1.key }
            return output.write(
                event: "plan",
                [
                    "name": name, "selected": plan.selected, "upToDate": plan.upToDate, "final": plan.final,
                    "rendered": plan.rendered, "toRender": toRender, "bytes": plan.bytes,
                    "renderSeconds": plan.estimate?.seconds, "measured": plan.estimate?.measured, "slots": slots,
                    "cameras": cameras.map { ["camera": $0.key, "photos": $0.value] as JSONFields },
                    "kept": plan.isKept,
                ])
        }
        output.write(
            line:
                "\(SummaryText.counted(plan.selected, "photo")) selected: \(toRender) to render, \(plan.rendered) already "
                + "rendered, \(plan.upToDate) up to date, \(plan.final) with edits unknown to this version."
        )
        output.write(line: "Needs about \(NumberText.bytes(plan.bytes)), as much as these photos take now.")
        if toRender > 0 { output.write(line: time(plan, photos: toRender, slots: slots)) }
        for (camera, count) in plan.cameras.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(20) {
            output.write(line: "  \(count)  \(TerminalText.escape(camera))")
        }
        let shown = TerminalText.escape(name)
        let next =
            plan.isKept
            ? "Planned. `rawmill campaign canary \(shown)` renders a sample, `rawmill campaign run \(shown)` renders all."
            : plan.photos == 0
                ? "No photo needs a change: nothing was planned." : "Nothing was planned: leave out --dry-run."
        output.write(line: next)
    }

    static func write(_ report: Campaigns.Report, _ verb: String, asJSON: Bool) {
        guard !asJSON else {
            return output.write(
                event: "moved",
                [
                    "photos": report.moved,
                    "unchanged": report.unchanged,
                    "left": report.left,
                    "missing": report.missing,
                ])
        }
        var text = "\(SummaryText.counted(report.moved, "photo")) \(verb)"
        if report.unchanged > 0 { text += ", \(report.unchanged) already" }
        if report.left > 0 { text += ", \(report.left) kept, because they were edited since" }
        if report.missing > 0 { text += ", \(report.missing) without a rendition" }
        output.write(line: text + ".")
    }

    static func estimate(_ campaign: Campaign, photos: Int) -> String? {
        let (measured, milliseconds) = campaign.canary
        guard measured > 0 else { return nil }
        let time = text(hours: Double(milliseconds) / Double(measured) * Double(photos) / 3_600_000)
        return "about \(time) for \(photos), at the speed of the canary's \(measured) on this machine"
    }

    /// The estimated time for the photos, from the times of their cameras' photos.
    private static func time(_ plan: Campaigns.Plan, photos: Int, slots: Int) -> String {
        guard let estimate = plan.estimate else {
            return
                "The time is unknown, because the library has no render times. Run a canary to measure it."
        }
        let alone = text(hours: estimate.seconds / 3600)
        let shared = text(hours: estimate.seconds / 3600 / Double(slots))
        let known =
            estimate.measured == photos
            ? "photos of their cameras took"
            : "photos of their cameras took (\(estimate.measured) of \(photos); the average for the others)"
        return
            "About \(shared) with \(SummaryText.counted(slots, "render process", "render processes")), \(alone) with one, based on the time that \(known)."
    }

    private static func text(hours: Double) -> String {
        switch hours {
        case ..<0.02: SummaryText.counted(max(1, Int((hours * 3600).rounded())), "second")
        case ..<1: SummaryText.counted(Int((hours * 60).rounded()), "minute")
        default: "\(NumberText.decimal(hours, places: 1)) hours"
        }
    }

    private static func word(_ state: Campaign.State) -> String {
        switch state {
        case .planned: "planned"
        case .switched: "switched"
        case .rolledBack: "rolled back"
        case .ended: "ended"
        }
    }
}
