import Arguments
import Coordinator
import Jobs
import Runs
import Telemetry

/// The output of `rawmill convert --dry-run`: the plan, file by file, and its totals.
struct DryRunReport {
    let output: TextOutput
    let asJSON: Bool

    func write(_ event: DryRun.Event, _ roots: RootMap) throws {
        guard output.isOpen else { throw CancellationError() }
        switch event {
        case .entry(let entry):
            write(roots.absolute(entry.source.raw.file), Self.name(entry.planClass), note(entry), roots)
        case .skipped(let file): write(file.path, "skipped", "\(file)", roots)
        case .problem(let problem):
            write(problem.path, problem.isUnreadable ? "unreadable" : "skipped", "\(problem)", roots)
        }
    }

    func end(_ counts: PlanCounts) {
        let plan = RunPlan(counts, pending: counts.pending)
        if asJSON {
            JSONReporter(output: output, progress: nil).planned(plan)
        } else {
            output.write(line: PlanText.sentence(plan))
        }
    }

    static func name(_ planClass: PlanClass) -> String {
        switch planClass {
        case .new: "new"
        case .stale: "changed"
        case .again: "again"
        case .pending: "pending"
        case .unchanged: "unchanged"
        case .failedBefore: "failed before"
        case .unreadable: "unreadable"
        }
    }

    private func note(_ entry: PlanEntry) -> String? {
        switch entry.planClass {
        case .stale(.recipe): "other settings"
        case .stale(.originals): "its RAW will be stored in the library"
        case .stale(.raw): "its RAW changed"
        case .stale(.photo): "its photo is missing"
        case .stale(.engine): "an older engine rendered it"
        case .stale(let cause): "its \(cause.rawValue) changed"
        case .failedBefore(let failure): failure.message(about: entry.source.raw.file)
        case .unreadable(let cause): cause
        case .new, .again, .pending, .unchanged: nil
        }
    }

    private func write(_ path: [UInt8], _ planClass: String, _ note: String?, _ roots: RootMap) {
        guard asJSON else {
            let name = TerminalText.escape(roots.named(path))
            return output.write(
                line: "\(planClass)  \(name)" + (note.map { "  (\(roots.sentence($0, about: path)))" } ?? ""))
        }
        output.write(
            event: "source",
            [
                "source": String(decoding: path, as: UTF8.self),
                "plan": planClass,
                "note": note,
            ])
    }
}
