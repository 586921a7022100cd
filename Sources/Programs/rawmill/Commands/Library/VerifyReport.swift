import Jobs
import Library
import Telemetry

/// What `rawmill library verify` finds, for people and programs.
enum VerifyReport {
    static func text(_ finding: LibraryVerification.Finding) -> String {
        let detail = finding.detail.isEmpty ? "" : " (\(finding.detail))"
        let end = finding.isRepaired ? "Repaired." : finding.kind.remedy
        return TerminalText.escape("\(finding.file): \(finding.kind.statement)\(detail). \(end)")
    }

    static func text(_ report: LibraryVerification.Report) -> String {
        let files = [
            SummaryText.counted(report.photos, "photo"), SummaryText.counted(report.previews, "preview"),
            SummaryText.counted(report.originals + report.copies, "RAW"),
        ]
        var sentence = "Checked \(files.joined(separator: ", ")): \(NumberText.bytes(report.bytes)). "
        let found = report.findings.values.reduce(0, +)
        sentence +=
            found == 0 ? "All is well." : "\(SummaryText.counted(found, "finding")), \(report.repaired) repaired."
        if report.peoples > 0 {
            sentence +=
                " \(SummaryText.counted(report.peoples, "file in photos/ is", "files in photos/ are")) your own."
        }
        if report.sharedPhotos > 0 {
            let photos = SummaryText.counted(
                report.sharedPhotos, "photo in photos/ shares its", "photos in photos/ share their")
            sentence +=
                " \(photos) bytes with objects/, as earlier versions made it: `--repair` gives each a file of its own, which "
                + "editors cannot harm."
        }
        if report.uncheckedOriginals > 0 {
            sentence += " Out of reach: the RAWs of \(SummaryText.counted(report.uncheckedOriginals, "photo"))."
        }
        return report.isInUse
            ? sentence + " Another Rawmill is at work here: findings may resolve themselves." : sentence
    }

    static func json(_ finding: LibraryVerification.Finding) -> String {
        JSONWriter.line(event: "finding") { json in
            json.field("kind", finding.kind.rawValue)
            json.file(finding.file)
            json.field("message", finding.kind.statement)
            json.field("detail", finding.detail)
            json.field("remedy", finding.kind.remedy)
            json.field("repaired", finding.isRepaired)
        }
    }

    static func json(_ report: LibraryVerification.Report) -> String {
        JSONWriter.line(event: "summary") { json in
            json.field("photos", report.photos)
            json.field("previews", report.previews)
            json.field("copies", report.copies)
            json.field("originals", report.originals)
            json.field("uncheckedOriginals", report.uncheckedOriginals)
            json.field("peoples", report.peoples)
            json.field("shared", report.sharedPhotos)
            json.field("bytes", report.bytes)
            json.object("findings") { json in
                for (kind, count) in report.findings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    json.field(kind.rawValue, count)
                }
            }
            json.field("repaired", report.repaired)
            json.field("clean", report.isClean)
            json.field("inUse", report.isInUse)
        }
    }
}
