import Coordinator
import Jobs
internal import LibraryTables
import Manifests
import PhotoTree
import Selection
import Telemetry
internal import Upkeep

enum AuditReport {
    static func text(_ difference: LibraryAudit.Difference) -> String {
        switch difference {
        case .ledger(let complaint): TerminalText.escape("the ledger's sums are wrong: \(complaint). \(ledgerRemedy)")
        case .notInLibrary(let job):
            TerminalText.escape(
                "\(job.raw.file): catalogued in the ledger, but the library has no photo of it. \(jobRemedy)")
        case .otherRaw(let job, let made):
            TerminalText.escape(
                "\(job.raw.file): its photo in the library was made from \(made.file). \(otherRawRemedy)")
        case .photoOfUnsuccessful(let photo, let state):
            TerminalText.escape(
                "\(photo.raw.file): \(state) in the ledger, but the library has a photo of it. \(unsuccessfulRemedy)"
            )
        case .unknownPhotos(let count, let example):
            TerminalText.escape(
                "\(SummaryText.counted(count, "photo")) in the library, such as one of \(example.file), that no job of this ledger "
                    + "made. \(olderLedgerRemedy)")
        case .refused(let job):
            TerminalText.escape(
                "\(job.file): \(refusalText(job)) \(job.count == 1 ? "once" : "\(job.count) times"): "
                    + "\(job.refusal.message) \(remedy(of: job.refusal))")
        case .files(let finding): VerifyReport.text(finding)
        }
    }

    private static func refusalText(_ job: RefusedJob) -> String {
        job.refusal.isAboutSource ? "a worker does not see it" : "the library refused its photo"
    }

    static func lines(_ report: LibraryAudit.Report) -> [String] {
        var lines = ["ledger   \(CountsText.sentence(report.ledger))"]
        if let library = report.library {
            let renditions = SummaryText.counted(Int(clamping: library.renditions), "rendition")
            lines.append("library  \(renditions), \(SummaryText.counted(Int(clamping: library.photos), "photo")) shown")
        }
        var files = [
            SummaryText.counted(report.files.photos, "photo"), SummaryText.counted(report.files.previews, "preview"),
        ]
        if report.files.copies > 0 { files.append(SummaryText.counted(report.files.copies, "RAW")) }
        lines.append("on disk  \(files.joined(separator: ", ")): \(NumberText.bytes(report.files.bytes))")
        if let broker = report.broker {
            lines.append(
                "broker   waiting: "
                    + SummaryText.counted(Int(clamping: broker.waitForCataloguer), "manifest") + " for the cataloguer, "
                    + SummaryText.counted(Int(clamping: broker.waitForCoordinator), "record")
                    + " of its results for the coordinator; "
                    + SummaryText.counted(Int(clamping: broker.deadLetters), "dead letter"))
            if !broker.isLedgers {
                lines.append(
                    "The ledger's jobs were sent to another Kafka cluster; its coordinator has not connected to this one yet."
                )
            }
        }
        if report.unknown > 0 {
            let jobs = SummaryText.counted(report.unknown, "job is", "jobs are")
            lines.append("\(jobs) from the ledger of an earlier version and were not checked.")
        }
        if report.unchecked > 0 {
            lines.append(
                SummaryText.counted(report.unchecked, "job shares", "jobs share")
                    + " a photo with a RAW at another path and could not be compared: the job's own RAW is out of reach."
            )
        }
        if report.removed > 0 {
            lines.append(
                "\(SummaryText.counted(report.removed, "job")): a user removed the photos from the library.")
        }
        return lines + [verdict(report)]
    }

    private static func verdict(_ report: LibraryAudit.Report) -> String {
        let sentence =
            report.differences == 0 ? "No differences." : "\(SummaryText.counted(report.differences, "difference"))."
        return report.files.isInUse
            ? sentence + " The library is in use: differences may resolve themselves." : sentence
    }

    static func json(_ difference: LibraryAudit.Difference) -> String {
        switch difference {
        case .ledger(let complaint): json("ledger-unbalanced", nil, complaint, ledgerRemedy)
        case .notInLibrary(let job):
            json(
                "not-in-library", job.raw.file, "catalogued in the ledger, but the library has no photo", jobRemedy)
        case .otherRaw(let job, let made):
            json("made-from-other-raw", job.raw.file, "its photo was made from \(made.file)", otherRawRemedy)
        case .photoOfUnsuccessful(let photo, let state):
            json(
                "photo-of-unsuccessful-job", photo.raw.file, "\(state) in the ledger, but the library has a photo",
                unsuccessfulRemedy)
        case .unknownPhotos(let count, let example):
            json(
                "unknown-to-ledger", example.file,
                "\(SummaryText.counted(count, "photo")) that no job of this ledger made",
                olderLedgerRemedy)
        case .refused(let job):
            json(
                job.refusal.isAboutSource ? "unseen-source" : "refused-by-library", job.file, "\(job.refusal)",
                remedy(of: job.refusal))
        case .files(let finding): VerifyReport.json(finding)
        }
    }

    private static func json(_ kind: String, _ file: FileReference?, _ message: String, _ remedy: String) -> String {
        JSONWriter.line(
            EventLine(
                "finding",
                ["kind": kind] + (file.map { JSONFields(file: $0) } ?? [:]) + ["message": message, "remedy": remedy]))
    }

    static func json(_ report: LibraryAudit.Report) -> String {
        JSONWriter.line(
            EventLine(
                "summary",
                [
                    "accepted": report.ledger.accepted,
                    "catalogued": report.ledger.catalogued,
                    "degraded": report.ledger.degraded,
                    "failed": report.ledger.failed,
                    "cancelled": report.ledger.cancelled,
                    "open": report.ledger.open,
                    "renditions": report.library?.renditions,
                    "shown": report.library?.photos,
                    "photos": report.files.photos,
                    "previews": report.files.previews,
                    "bytes": report.files.bytes,
                    "waitForCataloguer": report.broker?.waitForCataloguer,
                    "waitForCoordinator": report.broker?.waitForCoordinator,
                    "deadLetters": report.broker?.deadLetters,
                    "unchecked": report.unchecked,
                    "removed": report.removed,
                    "differences": report.differences,
                    "inUse": report.files.isInUse,
                ]))
    }

    private static let ledgerRemedy = "Another program changed it: restore it from a backup."
    private static let jobRemedy =
        "Run `rawmill library rebuild`. If the photo's file is missing too, `touch` the RAW and submit it again."
    private static let otherRawRemedy =
        "Rawmill's workers do not write that: check who may write to rawmill.manifests, then `touch` the RAW and submit it again."
    private static let unsuccessfulRemedy =
        "Run `rawmill retry`, or submit it again if it was cancelled: one more render corrects the ledger."
    private static let olderLedgerRemedy =
        "The ledger is older than the library, or belongs to another one: restore the right coordinator.sqlite, or submit the "
        + "archive again."
    private static func remedy(of refusal: Refusal) -> String {
        refusal.code == Refusal.rootUnseen
            ? "The coordinator hands it out again; it stays open until the coordinator sees the root."
            : "The coordinator hands it out again; it fails after three refusals."
    }
}
