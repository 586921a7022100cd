import Jobs
import Telemetry
import Upkeep

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
            found == 0 ? "No findings." : "\(SummaryText.counted(found, "finding")), \(report.repaired) repaired."
        if report.peoples > 0 {
            sentence +=
                " \(SummaryText.counted(report.peoples, "file in photos/ is", "files in photos/ are")) your own."
        }
        if report.sharedPhotos > 0 {
            let photos = SummaryText.counted(
                report.sharedPhotos, "photo in photos/ shares its", "photos in photos/ share their")
            sentence +=
                " \(photos) bytes with objects/, as in earlier versions: `--repair` gives each its own file, which "
                + "editors cannot harm."
        }
        if report.uncheckedOriginals > 0 {
            sentence +=
                " Out of reach: the RAWs of \(SummaryText.counted(report.uncheckedOriginals, "photo"))."
        }
        return report.isInUse
            ? sentence + " Another Rawmill is using the library: findings may resolve themselves." : sentence
    }

    static func json(_ finding: LibraryVerification.Finding) -> String {
        JSONWriter.line(
            EventLine(
                "finding",
                ["kind": finding.kind.rawValue] + JSONFields(file: finding.file)
                    + [
                        "message": finding.kind.statement, "detail": finding.detail, "remedy": finding.kind.remedy,
                        "repaired": finding.isRepaired,
                    ]))
    }

    static func json(_ report: LibraryVerification.Report) -> String {
        let findings = report.findings.sorted { $0.key.rawValue < $1.key.rawValue }
        return JSONWriter.line(
            EventLine(
                "summary",
                [
                    "photos": report.photos, "previews": report.previews, "copies": report.copies,
                    "originals": report.originals, "uncheckedOriginals": report.uncheckedOriginals,
                    "peoples": report.peoples, "shared": report.sharedPhotos, "bytes": report.bytes,
                    "findings": JSONFields(findings.map { ($0.key.rawValue, $0.value) }),
                    "repaired": report.repaired, "clean": report.isClean, "inUse": report.isInUse,
                ]))
    }
}
