import Arguments
import CommandLineTool
import Jobs
import Manifests
import MetadataHost
import Processes
import Storage
import Telemetry
import Upkeep

enum LibraryRebuildCommand {
    static let command: Command = Command(
        "rebuild", summary: "Rebuild library.sqlite from the metadata in the photos.",
        discussion: """
            The old database stays in use until the new one is complete. It may be missing. If it is damaged, it is \
            kept under another name, because albums and edit histories are stored only there.

            Exit status: 0 complete, 3 something is missing.
            """,
        parameters: [LibraryOption.parameter, LibraryOption.json, ReportOptions.noProgress]
    ) { values in
        let folder = values[LibraryOption.parameter]
        try requireObjects(in: folder)
        let output = TextOutput.standardOutput
        let line = CountLine(values)
        let asJSON = values[LibraryOption.json]
        let report = try await LibraryRebuild(
            library: folder, readers: Machine.cores, metadataProgram: MetadataProcess.program
        ).run(
            onProgress: { line.show("\(SummaryText.counted($0, "file")) read") },
            onProblem: { problem in
                line.clear()
                output.write(line: asJSON ? json(problem) : TerminalText.escape("\(problem.path): \(problem.message)."))
            })
        line.clear()
        output.write(line: asJSON ? json(report) : text(report))
        if !asJSON, let damage = report.damage {
            let kept = report.kept.map { " It is kept: \($0)." } ?? ""
            output.write(
                line: "The old database was damaged, so the new one lacks its albums and edit histories: "
                    + "\(TerminalText.escape(damage))\(kept) `rawmill library restore` recovers them from a backup.")
        }
        let isWhole = report.unknownFiles + report.missingPreviews == 0 && report.damage == nil
        return isWhole ? ExitStatus.done : ExitStatus.someFailed
    }

    /// A mistyped folder does not become a library.
    private static func requireObjects(in folder: String) throws {
        let objects = Array(LibraryLayout.objects.utf8)
        do throws(StorageError) {
            if try Root(path: folder).factsIfPresent(of: objects)?.kind == .folder { return }
        } catch {
            if error.kind != .notFound { throw error }
        }
        throw CommandFailure(
            "\(folder) is not a library: it has no folder \(LibraryLayout.objects). Correct --library.")
    }

    private static func text(_ report: LibraryRebuild.Report) -> String {
        var parts = ["Rebuilt from \(SummaryText.counted(report.renditions, "rendition"))"]
        if report.copies > 0 { parts.append("\(SummaryText.counted(report.copies, "RAW")) in the library") }
        if report.edits > 0 { parts.append("\(SummaryText.counted(report.edits, "edit")) adopted as yours") }
        if report.missingPreviews > 0 {
            parts.append("\(SummaryText.counted(report.missingPreviews, "preview")) missing")
        }
        if report.unknownFiles > 0 { parts.append("\(SummaryText.counted(report.unknownFiles, "file")) left out") }
        return parts.joined(separator: ", ") + "."
    }

    private static func json(_ problem: LibraryRebuild.Problem) -> String {
        JSONWriter.line(
            EventLine(
                "problem",
                [
                    "path": String(decoding: problem.path.bytes, as: UTF8.self),
                    "message": problem.message,
                ]))
    }

    private static func json(_ report: LibraryRebuild.Report) -> String {
        var fields: JSONFields = [
            "renditions": report.renditions, "copies": report.copies, "edits": report.edits,
            "missingPreviews": report.missingPreviews, "unknownFiles": report.unknownFiles,
            "keepsOffsets": report.keepsOffsets,
        ]
        if let damage = report.damage { fields += ["damage": damage] }
        if let kept = report.kept { fields += ["kept": kept] }
        return JSONWriter.line(EventLine("summary", fields))
    }
}
