import Arguments
import Broker
import Clock
import ClusterControl
import CommandLineTool
import Jobs
import KafkaBroker
import Manifests
import Records
import Storage
import Telemetry
import Tracing

enum SubmitCommand {
    static let sources: Parameter<[PathArgument]> = .positionals(
        "SOURCE", atLeastOne: false,
        help: """
            Files and folders as ROOT/PATH, or a path below a --root given here; - reads a list from standard input.
            """)
    static let lane: Parameter<LaneArgument> = .option(
        "lane", "LANE", default: LaneArgument(.bulk), help: "Priority: interactive jobs run before bulk jobs.")
    static let patience: Parameter<Double> = .option(
        "patience", "SECONDS", default: 300, must: .within(0...86_400), environment: "RAWMILL_PATIENCE",
        help: "How long to retry while no broker is reachable.")
    static let wait: Parameter<Bool> = .flag("wait", help: "Wait until every job has ended.")

    static let command: Command = Command(
        "submit", summary: "Submit RAW files to a cluster.",
        discussion: """
            The order is durable when this command returns, even if no coordinator is running. Your own look or a \
            .cube file needs --root library=PATH: it is copied there for the workers. The coordinator walks the \
            folders and applies --exclude and --min-rating. A list names files and folders as SOURCE does, and may \
            have any length.

            Exit status with --wait: 0 done, 3 some files failed, 64 the order was refused.
            """,
        examples: [
            .init("rawmill submit --broker kafka://kafka-1:9092 archive/2019 --look mono --wait", "a year's folder"),
            .init(
                "find /mnt/archive -newer last -name '*.NEF' | rawmill submit - --root archive=/mnt/archive",
                "files selected by another program"),
        ],
        parameters: [sources] + SourceOptions.choice + BrokerOptions.all + [RootOptions.roots] + SettingOptions.all
            + [
                ConvertOptions.originals, lane, wait, patience, LibraryOption.json, TraceOption.collector,
            ]
    ) { values in
        let (order, parts) = try await order(values)
        let reports = order.editions.map { SubmitReport(order: $0, asJSON: values[LibraryOption.json]) }
        try await send(order, after: parts, values)
        let status = try await Interrupts.shared.cancelling {
            for report in reports { report.submitted() }
            return values[wait] ? try await ends(of: reports, values) : ExitStatus.done
        }
        if status == ExitStatus.interrupted {
            TextOutput.standardError.write(
                line: "The cluster continues: `rawmill status` shows the progress, `rawmill cancel` ends it.")
        }
        return status
    }

    /// Waits until the batches end. Returns the first status that reports a failure.
    private static func ends(of reports: [SubmitReport], _ values: ArgumentValues) async throws -> Int32 {
        let transport = try BrokerOptions.commandTransport(values)
        var status = ExitStatus.done
        for report in reports {
            let end = try await BatchWatcher(report.order.batch, transport).run { report.progress($0) }
            let ended = report.ended(end)
            if status == ExitStatus.done { status = ended }
        }
        await transport.close()
        return status
    }

    private static func send(
        _ order: ConversionOrder, after parts: [Control], _ values: ArgumentValues
    ) async throws {
        let (context, start) = (TraceContext(), WallClock.nanoseconds)
        let header = Header(name: JobHeader.traceparent, value: Array(context.description.utf8))
        let sender = RetryingSender(values: values, patience: .seconds(values[patience]))
        try await sender.send(order, after: parts, headers: [header])
        guard let exporter = TraceOption.exporter("submit", values) else { return }
        exporter.take(Span(root: "submit", of: context, start: start, attributes: ["batch": "\(order.batch)"]))
        await exporter.close()
    }

    /// One order for all recipes: the sources are walked once, and the jobs of a photo are consecutive. Returns it with
    /// the parts of its sources that do not fit into it.
    private static func order(_ values: ArgumentValues) async throws -> (order: ConversionOrder, parts: [Control]) {
        let paths = RootOptions.paths(values)
        let places = OrderSources(roots: paths, command: values.command)
        let sources = SourceParts(try SourceOptions.paths(values, sources: sources).map { try places.location(of: $0) })
        let excluded = values[SourceOptions.excluded].map(\.value.bytes)
        guard excluded.reduce(0, { $0 + $1.count }) <= maxPatternBytes else {
            throw UsageError("--exclude: the patterns are longer than 16 kB together.", command: values.command)
        }
        let selection = try await RecipeSelection(PictureRequest(values), library: paths[.library])
        if selection.hasUserFiles {
            guard let library = paths[.library] else {
                throw UsageError(
                    "Your own look or profile needs --root library=PATH here.", command: values.command)
            }
            try selection.store(in: try Root(path: library))
        } else if let library = paths[.library] {
            do { try selection.store(in: try Root(path: library)) } catch let error as StorageError {
                selection.renounceLenses()
                TextOutput.standardError.write(
                    line:
                        "rawmill: lenses are corrected only as the files describe, because the library's lens table "
                        + "is out of reach: \(error.cause).")
            }
        }
        let recipes = try selection.recipes(in: nil, recording: false)
        guard let first = recipes.first, recipes.count <= maxRecipes else {
            throw UsageError("At most \(maxRecipes) recipes fit into one order.", command: values.command)
        }
        let order = ConversionOrder(
            sources: sources.inline, sourceParts: UInt32(sources.parts.count), excluded: excluded,
            minRating: values[SourceOptions.minRating], recipe: first.recipe, hasOwnLook: first.hasUserLook,
            lane: values[lane].value, originals: values[ConvertOptions.originals].value,
            submittedMilliseconds: WallClock.milliseconds,
            further: recipes.dropFirst().map { .init(recipe: $0.recipe, hasOwnLook: $0.hasUserLook) })
        return (order, sources.controls(for: order.batch))
    }

    /// A record holds about 200, next to a part of the sources and patterns of maximum size.
    private static let maxRecipes = 50
    private static let maxPatternBytes = 16 << 10
}

struct LaneArgument: ArgumentValue {
    let value: Lane

    init(_ value: Lane) { self.value = value }

    init(argument: [UInt8]) throws(InvalidArgument) {
        switch String(decoding: argument, as: UTF8.self) {
        case "interactive": value = .interactive
        case "bulk": value = .bulk
        default: throw InvalidArgument("one of " + Self.choices.joined(separator: ", "))
        }
    }

    static let choices = ["interactive", "bulk"]
    var argumentText: String { "\(value)" }
}
