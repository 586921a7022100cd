import Digest
import Jobs
import Telemetry
import Upkeep

struct RemovalReport {
    /// False for a dry run.
    let isDone: Bool
    let asJSON: Bool
    let output: TextOutput

    private static let dryRun = "Nothing was removed: add --yes."

    func write(_ plan: RemovalPlan, changed: [RelativePath]) {
        for photo in plan.photos { write(photo) }
        for original in plan.originals { write("original", original) }
        for original in plan.kept { write("kept", original) }
        write(changed)
        guard !asJSON else {
            return output.write(
                event: "summary",
                [
                    "photos": plan.photos.count,
                    "originals": plan.originals.count,
                    "kept": plan.kept.count,
                    "changed": changed.count,
                    "bytes": plan.sizeBytes,
                    "removed": isDone,
                ])
        }
        var parts = [SummaryText.counted(plan.photos.count, "photo")]
        if !plan.originals.isEmpty { parts.append(SummaryText.counted(plan.originals.count, "RAW")) }
        let what = "\(parts.joined(separator: " and ")), \(NumberText.bytes(plan.sizeBytes))"
        output.write(line: isDone ? "Removed \(what)." : "Would remove \(what). \(Self.dryRun)")
    }

    private func write(_ photo: RemovalPlan.Photo) {
        guard !asJSON else {
            return output.write(
                event: "photo",
                [
                    "asset": photo.asset.description,
                    "key": photo.key.description,
                    "photos": photo.shownAt.map(\.description),
                    "bytes": photo.sizeBytes,
                ])
        }
        let verb = isDone ? "removed" : "would remove"
        let names =
            photo.shownAt.isEmpty
            ? "an edit that is not shown, \(photo.key.description.prefix(16))"
            : photo.shownAt.map { "\($0)" }.joined(separator: ", ")
        output.write(line: TerminalText.escape("\(verb) \(names)"))
    }

    private func write(_ event: String, _ original: RemovalPlan.Original) {
        let name = original.shownAt.first.map { "\($0)" } ?? "the RAW \(original.asset.description.prefix(16))"
        guard !asJSON else {
            return output.write(
                event: event,
                [
                    "asset": original.asset.description,
                    "photos": original.shownAt.map(\.description),
                    "bytes": original.sizeBytes,
                ])
        }
        let sentence =
            event == "kept"
            ? "kept \(name) and its photos: this RAW exists only in the library. --with-originals removes both."
            : "\(isDone ? "removed" : "would remove") \(name)"
        output.write(line: TerminalText.escape(sentence))
    }

    private func write(_ changed: [RelativePath]) {
        for path in changed {
            if asJSON {
                output.write(
                    event: "changed",
                    [
                        "path": String(decoding: path.bytes, as: UTF8.self)
                    ])
            } else {
                output.write(
                    line: TerminalText.escape(
                        "\(path): kept, because its bytes differ from the library's. "
                            + "`rawmill library verify` shows details."))
            }
        }
    }

    func write(_ report: LibraryPruner.Report, openJobs: Int) {
        write(report.changed)
        guard !asJSON else {
            return output.write(
                event: "summary",
                [
                    "temporaries": report.temporaries,
                    "unknown": report.unknown,
                    "unfinished": report.unfinished,
                    "superseded": report.superseded,
                    "sightings": report.sightings,
                    "unseenRoots": report.unseenRoots.map(\.text),
                    "changed": report.changed.count,
                    "bytes": report.bytes,
                    "open": openJobs,
                    "removed": isDone,
                ])
        }
        if openJobs > 0 {
            output.write(
                line:
                    "\(SummaryText.counted(openJobs, "job is open", "jobs are open")): photos without a row were kept. "
                    + "Finish or cancel the open jobs, then prune again.")
        }
        for root in report.unseenRoots {
            output.write(
                line:
                    "\(root): none of its RAWs was found, so its paths were kept. Mount its storage. If it is mounted, write a name "
                    + "of your choice into .rawmill-root at its top, then prune again.")
        }
        guard !report.isEmpty else { return output.write(line: "There is nothing to delete.") }
        let parts = [
            (report.temporaries, "unfinished file", ""), (report.unknown, "file", " without a row"),
            (report.unfinished, "file", " of an interrupted removal"), (report.superseded, "hidden edit", ""),
            (report.sightings, "path", " without a RAW"),
        ]
        .filter { $0.0 > 0 }.map { SummaryText.counted($0.0, $0.1) + $0.2 }
        let what = "\(NumberText.bytes(report.bytes)): \(parts.joined(separator: ", "))"
        output.write(line: isDone ? "Deleted \(what)." : "Would delete \(what). \(Self.dryRun)")
    }
}
