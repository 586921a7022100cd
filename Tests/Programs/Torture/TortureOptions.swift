import Arguments
import CommandLineTool

/// The options of `rawmill torture`.
enum TortureOptions {
    private static let group = "The torture"

    static let scenario: Parameter<EnumArgument<Scenario>> = .option(
        "scenario", "NAME", default: EnumArgument(.kill), group: group, help: "Kind of faults.")
    static let seed: Parameter<Int?> = .optional(
        "seed", "S", must: .within(0...Int.max), group: group, help: "Repeat the choices of a run. (default: any)")
    static let seeds: Parameter<SeedRange?> = .optional(
        "seeds", "A-B", group: group,
        help: "Make one run per seed, and print a Markdown table. Folders of failed runs are kept.")
    static let jobs: Parameter<Int> = .option(
        "jobs", "N", default: 1000, must: .within(10...1_000_000), group: group, help: "Photos to convert.")
    static let harms: Parameter<Int> = .option(
        "harms", "N", default: 20, must: .within(0...100_000), group: group, help: "Number of faults to cause.")
    static let workers: Parameter<Int> = .option(
        "workers", "N", default: 3, must: .within(1...100), group: group, help: "Workers, of two slots each.")
    static let isReal: Parameter<Bool> = .flag(
        "real", group: group,
        help: "Render generated RAWs. Without it, nothing is rendered, as with worker --null-renderer.")
    static let megapixels: Parameter<Double> = .option(
        "megapixels", "M", default: 0.3, must: .within(0.01...24), group: group, help: "Size of each of those RAWs.")
    static let patience: Parameter<Double> = .option(
        "patience", "SECONDS", default: 300, must: .within(1...86_400), group: group,
        help: "Time limit for the harm, and again for the remaining work.")
    static let outage: Parameter<Double> = .option(
        "outage", "SECONDS", default: 60, must: .within(0.1...3600), group: group,
        help: "Time for which every broker is away in the scenario outage.")
    static let folder: Parameter<String?> = .optional(
        "folder", "DIR", group: group, completion: .folders,
        help: "A new folder for everything. (default: one in /tmp, removed if every promise held)")
    static let kafka: Parameter<String?> = .optional(
        "kafka-command", "PROGRAM", group: group, completion: .files,
        help:
            "Program that starts and harms the run's brokers: PROGRAM start FOLDER --nodes N --port P prints their addresses; "
            + "kill FOLDER NODE, restart FOLDER NODE, stop FOLDER; topic FOLDER … and groups FOLDER … run "
            + "Kafka's kafka-topics and kafka-consumer-groups.")
    static let nodes: Parameter<Int?> = .optional(
        "kafka-nodes", "N", must: .within(1...3), group: group,
        help: "Brokers it starts. (default: as the scenario needs)")
    static let database: Parameter<String?> = .optional(
        "database-command", "PROGRAM", group: group, completion: .files,
        help:
            "Program that starts and harms a PostgreSQL server for library and ledger: PROGRAM start FOLDER prints the "
            + "database's address; kill FOLDER, restart FOLDER, stop FOLDER. Two coordinators then run.")
    static let all: [any AnyParameter] = [
        scenario, seed, seeds, jobs, harms, workers, isReal, megapixels, patience, outage, folder, kafka, nodes,
        database,
    ]
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
