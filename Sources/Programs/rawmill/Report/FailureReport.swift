import Coordinator
import Jobs
internal import Runs
import Telemetry

/// Failed jobs, grouped by reason with the remedy, and named by file. They are read from the ledger row by row, so
/// memory does not grow with their number.
struct FailureReport {
    private let output: TextOutput
    /// False for reasons and their numbers only, after a report that named each file.
    private let namesFiles: Bool
    private var reason: FailureReason?
    /// The file that is written next: why its photos failed, and how many did.
    private var file: (name: FileReference, messages: [String], photos: Int)?
    /// Files that failed for the reason.
    private var files = 0
    /// The roots of the files that were named.
    private var roots: Set<RootName> = []

    private init(output: TextOutput, namesFiles: Bool) {
        self.output = output
        self.namesFiles = namesFiles
    }

    /// - Parameters:
    ///   - batches: the batches whose jobs are written; nil for all.
    ///   - reason: the reason of the jobs that are written; nil for all.
    ///   - namesFiles: false for reasons and their numbers only.
    /// - Returns: the roots of the files that were named.
    @discardableResult
    static func write(
        _ ledger: Ledger, batches: Set<BatchID>? = nil, reason: FailureReason? = nil, namesFiles: Bool = true,
        to output: TextOutput
    ) async throws -> Set<RootName> {
        try await ledger.perform { store in
            var report = FailureReport(output: output, namesFiles: namesFiles)
            try store.reports.eachFailure(reason: reason) { job in
                let isSelected = batches.map { $0.contains(job.batch) } ?? true
                if isSelected, !job.isSuperseded, output.isOpen { report.write(job) }
            }
            report.endReason()
            return report.roots
        }
    }

    /// A file that failed in several looks or sizes is written once.
    private mutating func write(_ job: FailedJob) {
        let message = job.failure.message(about: job.file)
        if reason == job.failure.reason, file?.name == job.file {
            file?.photos += 1
            if file?.messages.contains(message) == false { file?.messages.append(message) }
            return
        }
        if reason != job.failure.reason {
            endReason()
            reason = job.failure.reason
            if namesFiles { writeHeading() }
        } else {
            endFile()
        }
        file = (job.file, [message], 1)
    }

    private mutating func endFile() {
        guard let (name, messages, photos) = file.take() else { return }
        files += 1
        guard namesFiles else { return }
        roots.insert(name.root)
        output.write(line: "  \(TerminalText.escape("\(name)"))" + (photos > 1 ? " (\(photos) photos)" : ""))
        for message in messages { output.write(line: "    \(TerminalText.escape(message))") }
    }

    private mutating func endReason() {
        endFile()
        if !namesFiles, files > 0 { writeHeading() }
        files = 0
    }

    private func writeHeading() {
        guard let reason else { return }
        let heading = Style.red.apply(reason.rawValue, on: output.terminal)
        let number = namesFiles ? "" : " (\(SummaryText.counted(files, "file")))"
        output.write(line: "\n\(heading)\(number): \(reason.remedy)")
    }
}

/// Where the roots are whose files a report named.
enum RootLegend {
    static func write(_ names: Set<RootName>, _ roots: RootMap, to output: TextOutput) {
        let known = roots.all.filter { names.contains($0.name) }
        if !known.isEmpty { output.write(line: "") }
        for root in known { output.write(line: "\(root.name) is \(TerminalText.escape(root.path))") }
    }
}
