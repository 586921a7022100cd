import Arguments
import Broker
import CommandLineTool
import KafkaBroker
import Telemetry

/// `rawmill topics trim`: deletes records that no role will read again.
enum TopicsTrimCommand {
    private static let keep: Parameter<Int> = .option(
        "keep", "N", default: 1000, must: .within(1...1_000_000_000),
        help: "Number of finished records to keep in each partition.")
    private static let library: Parameter<String?> = .optional(
        "library", short: "l", "DIR", environment: "RAWMILL_LIBRARY", completion: .folders,
        help: """
            Folder of the library. Also trim the records that the coordinator and the cataloguer have read.
            """)

    static let command: Command = Command(
        "trim", summary: "Delete records that no role will read again.",
        discussion: """
            Deletes job records that workers have finished and committed; with --library, also commands, results and \
            removals that the coordinator and the cataloguer have read. Manifests, dead letters and the states of \
            batches and workers stay. Without --yes, show what would be deleted. The cluster may be running.

            Kafka frees a segment's space (segment.bytes, 1 GiB by default) when all records in it are deleted.
            """,
        examples: [
            .init(
                "rawmill topics trim --broker kafka://kafka-1:9092 --library /mnt/library --yes",
                "for example once a week")
        ],
        parameters: BrokerOptions.all + [
            library, CoordinatorCommand.state, keep, LibraryOption.yes, LibraryOption.json,
        ]
    ) { values in
        let transport = try BrokerOptions.commandTransport(values)
        let planner = TopicTrimPlanner(
            transport: transport, library: values[library].map { ($0, values[CoordinatorCommand.state]) },
            keep: Int64(values[keep]))
        let report = TopicTrimReport(isDone: values[LibraryOption.yes], asJSON: values[LibraryOption.json])
        var count: Int64 = 0
        for trim in try await planner.plan() {
            if values[LibraryOption.yes] {
                _ = try await transport.deleteRecords(of: trim.topic, before: trim.offsets)
            }
            count += trim.count
            report.write(trim)
        }
        await transport.close()
        report.writeSummary(count)
        return ExitStatus.done
    }
}

struct TopicTrimReport {
    let isDone: Bool
    let asJSON: Bool
    private let output = TextOutput.standardOutput

    init(isDone: Bool, asJSON: Bool) {
        self.isDone = isDone
        self.asJSON = asJSON
    }

    func write(_ trim: TopicTrim) {
        guard !asJSON else {
            return output.write(
                event: "topic",
                [
                    "topic": trim.topic,
                    "records": Int(trim.count),
                    "kept": Int(trim.kept),
                    "removed": isDone,
                ])
        }
        let verb = isDone ? "deleted" : "would delete"
        let records = SummaryText.counted(Int(trim.count), "record")
        output.write(line: "\(verb) \(records) of \(trim.topic), \(trim.kept) finished records stay")
    }

    func writeSummary(_ count: Int64) {
        guard !asJSON else {
            return output.write(
                event: "summary",
                [
                    "records": Int(count),
                    "removed": isDone,
                ])
        }
        let records = SummaryText.counted(Int(count), "record")
        output.write(
            line: isDone ? "Deleted \(records)." : "Would delete \(records). Nothing was deleted: add --yes.")
    }
}
