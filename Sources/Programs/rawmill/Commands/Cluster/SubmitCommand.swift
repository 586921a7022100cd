import Arguments
import Broker
import Clock
import CommandLineTool
import Jobs
import KafkaBroker
import Manifests
import Records
import Storage
import Telemetry
import Tracing

/// `rawmill submit`: an order for a cluster.
enum SubmitCommand {
    static let sources: Parameter<[PathArgument]> = .positionals(
        "SOURCE", help: "Files and folders: ROOT/PATH by a root's name, or a path below a --root given here.")
    static let lane: Parameter<LaneArgument> = .option(
        "lane", "LANE", default: LaneArgument(.bulk), help: "Interactive jobs overtake bulk ones.")
    static let patience: Parameter<Double> = .option(
        "patience", "SECONDS", default: 300, must: .within(0...86_400), environment: "RAWMILL_PATIENCE",
        help: "How long to keep trying while the brokers cannot be reached.")
    static let wait: Parameter<Bool> = .flag("wait", help: "Waits until every job has ended.")

    static let command: Command = Command(
        "submit", summary: "Has a cluster convert RAW files.",
        discussion: """
            The order is durable when this returns, whether a coordinator is running or not. A look of your own, a .cube \
            file, needs --root library=PATH: it is copied there for the workers.

            Exit status with --wait: 0 all done, 3 some files failed, 64 the order was refused.
            """,
        examples: [
            .init("rawmill submit --broker kafka://kafka-1:9092 archive/2019 --look mono --wait", "a year's folder")
        ],
        parameters: [sources] + BrokerOptions.all + [RootOptions.roots] + ConvertOptions.picture + [
            ConvertOptions.originals, lane, wait, patience, LibraryOption.json, TraceOption.collector,
        ]
    ) { values in
        let orders = try await orders(values)
        let reports = orders.map { SubmitReport(order: $0, asJSON: values[LibraryOption.json]) }
        for (order, report) in zip(orders, reports) {
            try await send(order, values)
            report.submitted()
        }
        guard values[wait] else { return ExitStatus.done }
        let transport = try BrokerOptions.commandTransport(values)
        var status = ExitStatus.done
        for (order, report) in zip(orders, reports) {
            let end = try await BatchWatcher(order.batch, transport).run { report.progress($0) }
            let ended = report.ended(end)
            if status == ExitStatus.done { status = ended }
        }
        await transport.close()
        return status
    }

    /// Sends the order, and begins the trace that everything belongs to which follows from it.
    private static func send(_ order: ConversionOrder, _ values: ArgumentValues) async throws {
        let (context, start) = (TraceContext(), WallClock.nanoseconds)
        let header = Header(name: JobHeader.traceparent, value: Array(context.description.utf8))
        let sender = RetryingSender(values: values, patience: .seconds(values[patience]))
        try await sender.send(order, headers: [header])
        guard let exporter = TraceOption.exporter("submit", values) else { return }
        exporter.take(Span(root: "submit", of: context, start: start, attributes: ["batch": "\(order.batch)"]))
        await exporter.close()
    }

    /// One order for each recipe: they are batches of their own.
    private static func orders(_ values: ArgumentValues) async throws -> [ConversionOrder] {
        let paths = RootOptions.paths(values)
        let places = try values[sources].map { try OrderSource.of($0.bytes, roots: paths, command: values.command) }
        let selection = try await RecipeSelection(values, library: paths[.library])
        if selection.hasUserLook {
            guard let library = paths[.library] else {
                throw UsageError("A look of your own needs --root library=PATH here.", command: values.command)
            }
            try selection.store(in: try Root(path: library))
        }
        return try selection.recipes(in: nil, recording: false).map { selected in
            ConversionOrder(
                sources: places, recipe: selected.recipe, hasOwnLook: selected.hasUserLook, lane: values[lane].value,
                originals: values[ConvertOptions.originals].value, submittedMilliseconds: WallClock.milliseconds)
        }
    }
}

/// `interactive` or `bulk`
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
