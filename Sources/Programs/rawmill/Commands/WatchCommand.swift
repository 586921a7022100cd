import Arguments
import CommandLineTool
import Concurrency
import Coordinator
import Runs
import Storage
import Telemetry

enum WatchCommand {
    static let every: Parameter<Double> = .option(
        "every", "SECONDS", default: 5, must: .within(0.2...86_400), group: "The files",
        help: "Interval between checks. A file is taken when two checks in a row find it unchanged.")

    static let command: Command = Command(
        "watch", summary: "Watch folders and convert new RAW files until stopped.",
        discussion: """
            Watch takes a RAW when its size and time are the same at two checks in a row, so it never reads a file \
            that is still being copied. This also works on network file systems. When a sidecar is added or changed \
            later, the photo gets the new metadata.

            Files that are already there are converted too, unless they are known. A failed file is reported and the \
            rest continues. When nothing can be converted, for example because the disk is full, watch reports it \
            and tries again. Press Ctrl-C to finish the photos in progress and stop.
            """,
        examples: [
            .init(
                "rawmill watch ~/Pictures/incoming --library film",
                "a folder that receives files from a camera or card reader"),
            .init("rawmill watch /mnt/ftp --out jpegs --look velvet --every 30", "JPEGs, with a check every 30 s"),
        ],
        parameters: ConvertOptions.all.filter { $0.declaration.name != ConvertOptions.dryRun.declaration.name } + [
            every
        ]
    ) { values in
        let folders = try SourceOptions.paths(values).map { path in
            guard let real = RealPath.of(path), (try? Root(path: String(decoding: real, as: UTF8.self))) != nil else {
                throw UsageError(
                    "\(TerminalText.escape(path)) is not a folder: give folders to watch.", command: values.command)
            }
            return real
        }
        return try await watch(folders, values)
    }

    private static func watch(_ folders: [[UInt8]], _ values: ArgumentValues) async throws -> Int32 {
        let totals = RunTotals()
        let report = Report(values)
        try report.began(folders)
        let status = try await watch(folders, values, totals)
        report.ended(totals)
        return status
    }

    private static func watch(
        _ folders: [[UInt8]], _ values: ArgumentValues, _ totals: RunTotals
    ) async throws -> Int32 {
        var watch = FolderWatch(folders)
        var problems: Set<String> = []
        // Settled, and not converted yet.
        var waiting: Set<[UInt8]> = []
        var outage = Outage()
        while true {
            let look = watch.look()
            for problem in Set(look.problems).subtracting(problems).sorted() {
                TextOutput.standardError.write(
                    line: TerminalText.escape("\(problem). Watch will check it again."), in: .yellow)
            }
            problems = Set(look.problems)
            waiting.formUnion(look.settled)
            if !waiting.isEmpty, outage.mayTry {
                do {
                    let sources = waiting.sorted { $0.lexicographicallyPrecedes($1) }
                    _ = try await ConvertCommand.convert(sources, below: folders, values, observer: totals)
                    waiting = []
                    outage.end()
                } catch {
                    try outage.take(error)
                }
                if Interrupts.shared.wasInterrupted { return ExitStatus.done }
            }
            // A run handles signals itself; between runs a signal ends the wait.
            _ = try await Interrupts.shared.cancelling {
                try await Task.sleep(for: .seconds(values[every]))
                return ExitStatus.done
            }
            if Interrupts.shared.wasInterrupted { return ExitStatus.done }
        }
    }

    /// What a watch says of itself, to people only.
    private struct Report {
        private let values: ArgumentValues
        private let isShown: Bool

        init(_ values: ArgumentValues) {
            self.values = values
            isShown = !values[ReportOptions.json] && !values[ReportOptions.quiet]
        }

        /// - Throws: `UsageError` where neither a folder nor a library takes the photos.
        func began(_ folders: [[UInt8]]) throws {
            let library = values[ConvertOptions.library] ?? CurrentLibrary.folder
            guard let place = values[ExportOptions.out]?.description ?? library.map({ "\($0)/photos" }) else {
                _ = try RunDestination(values)
                return
            }
            guard isShown else { return }
            let names = folders.map { TerminalText.escape($0) }.joined(separator: ", ")
            TextOutput.standardOutput.write(
                line: "Watching \(names). Photos go to \(TerminalText.escape(place)). Press Ctrl-C to stop.")
        }

        func ended(_ totals: RunTotals) {
            guard isShown else { return }
            let (photos, failed) = totals.counts
            let failures = failed == 0 ? "" : ", \(Style.red.apply("\(failed) failed", on: Terminal(descriptor: 1)))"
            TextOutput.standardOutput.write(
                line: "Stopped watching: \(SummaryText.counted(photos, "photo")) converted\(failures).")
        }
    }

    /// An obstacle to conversion: a full disk, a missing folder, another Rawmill in the library.
    private struct Outage {
        private var backoff = Backoff(initial: .seconds(5), max: .seconds(60))
        private var nextTry: ContinuousClock.Instant?

        /// Whether it is time for another attempt.
        var mayTry: Bool { nextTry.map { ContinuousClock.now >= $0 } ?? true }

        /// Records a failed attempt. Throws the error if waiting cannot help, because the command is wrong.
        mutating func take(_ error: any Error) throws {
            let failure = CommandFailure(error)
            guard !(error is UsageError), failure.status == ExitStatus.fault else { throw error }
            let delay = backoff.nextDelay()
            nextTry = .now + delay
            TextOutput.standardError.write(
                line:
                    "rawmill watch: \(TerminalText.escape(failure.message)) Watch tries again in \(delay.components.seconds) s.",
                in: .yellow)
        }

        /// Records a successful attempt.
        mutating func end() {
            guard nextTry != nil else { return }
            TextOutput.standardError.write(line: "rawmill watch: Continuing.")
            self = Outage()
        }
    }
}
