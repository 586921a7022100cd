import Arguments
import CommandLineTool
import Jobs
import MetadataHost
import Processes
import Runs
import Telemetry
import Upkeep

enum LibraryVerifyCommand {
    static let repair: Parameter<Bool> = .flag(
        "repair",
        help: "Repair without loss: missing and wrong names in photos/, unfinished files.")

    static let adoptEdits: Parameter<Bool> = .flag(
        "adopt-edits",
        help: "Keep photos that you edited in photos/ as your own files; new photos get other names.")

    static let sample: Parameter<Double?> = .optional(
        "sample", "PERCENT", must: .within(0...100),
        help: """
            Read this share of the files in full, a different one each time; check the existence and size of the \
            rest.
            """
    )
    static let rate: Parameter<ByteCountArgument?> = .optional(
        "rate", "SIZE", must: Rule("at least 1k") { $0.bytes >= 1000 },
        help: "Maximum read rate per second, like 50M.")

    static let command: Command = Command(
        "verify", summary: "Hash every file of a library, and check that rows and files match.",
        discussion: """
            Exit status: 0 no findings, 3 findings, including repaired ones.
            """,
        parameters: [
            LibraryOption.parameter, sample, rate, repair, adoptEdits, LibraryOption.json, ReportOptions.noProgress,
        ]
    ) { values in
        let folder = values[LibraryOption.parameter]
        let output = TextOutput.standardOutput
        let line = CountLine(values)
        let verification = LibraryVerification(
            library: folder, roots: try await SourceRoots.existing(library: folder), checkers: Machine.cores,
            sample: values[sample].map { .random($0 / 100) } ?? .all, bytesPerSecond: values[rate]?.bytes,
            metadataProgram: MetadataProcess.program)
        let asJSON = values[LibraryOption.json]
        let report = try await verification.run(
            repair: values[repair], adoptsEdits: values[adoptEdits],
            onProgress: {
                line.show("\(SummaryText.counted($0.photos, "photo")), \(NumberText.bytes($0.bytes)) checked")
            },
            onFinding: { finding in
                line.clear()
                guard !asJSON else { return output.write(line: VerifyReport.json(finding)) }
                output.write(line: VerifyReport.text(finding), in: finding.isRepaired ? .yellow : .red)
            })
        line.clear()
        if asJSON {
            output.write(line: VerifyReport.json(report))
        } else {
            output.write(line: VerifyReport.text(report), in: report.findings.isEmpty ? .green : .bold)
        }
        return report.findings.isEmpty ? ExitStatus.done : ExitStatus.someFailed
    }
}
