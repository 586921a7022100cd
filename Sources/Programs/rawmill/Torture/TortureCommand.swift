import Arguments
import Glibc
import KafkaBroker
import Storage
import Telemetry

/// `rawmill torture`: proves what Rawmill promises, on this machine.
enum TortureCommand {
    private static let group = "The torture"

    static let scenario: Parameter<Choice<TortureScenario>> = .option(
        "scenario", "NAME", default: Choice(.kill), group: group, help: "What is done to the cluster.")
    static let seed: Parameter<Int?> = .optional(
        "seed", "S", must: .within(0...Int.max), group: group, help: "Repeats the choices of a run. (default: any)")
    static let seeds: Parameter<SeedRange?> = .optional(
        "seeds", "A-B", group: group,
        help: "One run for each seed, and a table of them as Markdown. The folders of broken ones stay.")
    static let jobs: Parameter<Int> = .option(
        "jobs", "N", default: 1000, must: .within(10...1_000_000), group: group, help: "Photos to convert.")
    static let harms: Parameter<Int> = .option(
        "harms", "N", default: 20, must: .within(0...100_000), group: group, help: "Times that harm is done.")
    static let workers: Parameter<Int> = .option(
        "workers", "N", default: 3, must: .within(1...100), group: group, help: "Workers, of two slots each.")
    static let isReal: Parameter<Bool> = .flag(
        "real", group: group, help: "Renders generated RAWs. Else nothing is rendered, as by worker --null-renderer.")
    static let megapixels: Parameter<Double> = .option(
        "megapixels", "M", default: 0.3, must: .within(0.01...24), group: group, help: "Size of each of those RAWs.")
    static let patience: Parameter<Double> = .option(
        "patience", "SECONDS", default: 300, must: .within(1...86_400), group: group,
        help: "Longest time for what is left after the harm; and for the harm.")
    static let outage: Parameter<Double> = .option(
        "outage", "SECONDS", default: 60, must: .within(0.1...3600), group: group,
        help: "How long every broker is away in the scenario of that name.")
    static let folder: Parameter<String?> = .optional(
        "folder", "DIR", group: group, completion: .folders,
        help: "Where everything is, a new folder. (default: one in /tmp, removed where all held)")
    static let kafka: Parameter<String?> = .optional(
        "kafka-command", "PROGRAM", group: group, completion: .files,
        help:
            "Starts and harms brokers of its own: PROGRAM start FOLDER --nodes N --port P, which prints their addresses; "
            + "kill FOLDER NODE, restart FOLDER NODE, stop FOLDER; topic FOLDER … and groups FOLDER …, which are Kafka's own "
            + "kafka-topics and kafka-consumer-groups.")
    static let nodes: Parameter<Int?> = .optional(
        "kafka-nodes", "N", must: .within(1...3), group: group,
        help: "Brokers it starts. (default: as the scenario needs)")

    static let command: Command = Command(
        "torture", summary: "Starts a cluster on this machine, harms it, and checks that nothing is lost.",
        discussion: """
            Without --broker and --kafka-command, the processes meet at librdkafka's imitation of a cluster. It cannot \
            stand every harm: stop, broker, topics and all need a real Kafka; errors needs the imitation.

            Exit status: 0 every promise held, 3 one did not: logs and library stay in the folder.
            """,
        examples: [
            .init("rawmill torture --scenario kill --jobs 10000 --harms 200", "200 times kill -9"),
            .init("rawmill torture --scenario all --kafka-command ./kafka --seed 7", "everything, over a real Kafka"),
        ],
        parameters: [
            scenario, seed, seeds, jobs, harms, workers, isReal, megapixels, patience, outage, folder, kafka, nodes,
            BrokerOptions.optionalBroker,
        ]
    ) { values in
        try TortureGuard.start()
        let status = try await Interrupts.shared.cancelling { try await perform(values) }
        if status == ExitStatus.interrupted {
            TextOutput.standardError.write(line: "Interrupted. The cluster is ended; its folder stays.")
        }
        return status
    }

    private static func perform(_ values: Values) async throws -> Int32 {
        let output = TextOutput.standardOutput
        if let seeds = values[seeds] { return try await table(values, seeds, output) }
        let seed = values[seed].map(UInt64.init) ?? UInt64.random(in: 0...UInt64(Int.max))
        let outcome = try await run(values, seed: seed) { output.write(line: $0) }
        for verdict in outcome.verdicts {
            output.write(line: "\(verdict.holds ? "held  " : "BROKEN")  \(verdict.name): \(verdict.text)")
        }
        return outcome.holds ? ExitStatus.done : ExitStatus.someFailed
    }
}

/// `A-B`
struct SeedRange: ArgumentValue {
    let range: ClosedRange<UInt64>

    init(argument: [UInt8]) throws(InvalidArgument) {
        let numbers = String(decoding: argument, as: UTF8.self).split(separator: "-").map { UInt64($0) }
        guard numbers.count == 2, let first = numbers[0], let last = numbers[1], first <= last else {
            throw InvalidArgument("two numbers with a dash between them, such as 1-20")
        }
        range = first...last
    }

    var argumentText: String { "\(range.lowerBound)-\(range.upperBound)" }
}
