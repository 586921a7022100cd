import Coordinator
import Jobs
import Library
import Manifests
import Telemetry

/// What `rawmill audit` finds, for people and programs.
enum AuditReport {
    static func text(_ difference: LibraryAudit.Difference) -> String {
        switch difference {
        case .ledger(let complaint): TerminalText.escape("the ledger does not add up: \(complaint). \(ledgerRemedy)")
        case .notInLibrary(let job):
            TerminalText.escape(
                "\(job.file): the ledger says it is catalogued, the library has no photo of it. \(jobRemedy)")
        case .files(let finding): VerifyReport.text(finding)
        }
    }

    static func lines(_ report: LibraryAudit.Report) -> [String] {
        var lines = ["ledger   \(CountsText.sentence(report.ledger))"]
        if let library = report.library {
            lines.append("library  \(library.renditions) renditions, \(library.photos) photos shown")
        }
        let copies = report.files.copies > 0 ? ", \(report.files.copies) RAWs" : ""
        lines.append(
            "on disk  \(report.files.photos) photos, \(report.files.previews) previews\(copies): "
                + NumberText.bytes(report.files.bytes))
        if let broker = report.broker {
            lines.append(
                "broker   \(broker.waitForCataloguer) manifests wait for the cataloguer, \(broker.waitForCoordinator) "
                    + "for the coordinator; \(SummaryText.counted(Int(broker.deadLetters), "dead letter"))")
        }
        if report.unknown > 0 {
            lines.append("\(report.unknown) jobs are from the ledger of an earlier version, and were not checked.")
        }
        return lines + [verdict(report)]
    }

    private static func verdict(_ report: LibraryAudit.Report) -> String {
        let sentence =
            report.differences == 0 ? "Nothing differs." : "\(SummaryText.counted(report.differences, "difference"))."
        return report.files.isInUse
            ? sentence + " The library is at work: differences may resolve themselves." : sentence
    }

    static func json(_ difference: LibraryAudit.Difference) -> String {
        switch difference {
        case .ledger(let complaint): json("ledger-unbalanced", nil, complaint, ledgerRemedy)
        case .notInLibrary(let job):
            json("not-in-library", job.file, "the ledger says it is catalogued, the library has no photo", jobRemedy)
        case .files(let finding): VerifyReport.json(finding)
        }
    }

    private static func json(_ kind: String, _ file: FileReference?, _ message: String, _ remedy: String) -> String {
        JSONWriter.line(event: "finding") { json in
            json.field("kind", kind)
            if let file { json.file(file) }
            json.field("message", message)
            json.field("remedy", remedy)
        }
    }

    static func json(_ report: LibraryAudit.Report) -> String {
        JSONWriter.line(event: "summary") { json in
            json.field("accepted", report.ledger.accepted)
            json.field("catalogued", report.ledger.catalogued)
            json.field("degraded", report.ledger.degraded)
            json.field("failed", report.ledger.failed)
            json.field("cancelled", report.ledger.cancelled)
            json.field("open", report.ledger.open)
            json.field("renditions", report.library.map { LogValue($0.renditions) })
            json.field("shown", report.library.map { LogValue($0.photos) })
            json.field("photos", report.files.photos)
            json.field("previews", report.files.previews)
            json.field("bytes", report.files.bytes)
            json.field("waitForCataloguer", report.broker.map { LogValue($0.waitForCataloguer) })
            json.field("waitForCoordinator", report.broker.map { LogValue($0.waitForCoordinator) })
            json.field("deadLetters", report.broker.map { LogValue($0.deadLetters) })
            json.field("differences", report.differences)
            json.field("inUse", report.files.isInUse)
        }
    }

    private static let ledgerRemedy = "Another program wrote to it: restore it from a backup."
    private static let jobRemedy =
        "If manifests still wait for the cataloguer, it will merge them. Otherwise run `rawmill library rebuild`."
}
