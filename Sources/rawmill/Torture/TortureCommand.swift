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
    static let jobs: Parameter<Int> = .option(
        "jobs", "N", default: 1000, must: .within(10...1_000_000), group: group, help: "Photos to convert.")
    static let harms: Parameter<Int> = .option(
        "harms", "N", default: 20, must: .within(0...100_000), group: group, help: "Times that harm is done.")
    static let workers: Parameter<Int> = .option(
        "workers", "N", default: 3, must: .within(1...100), group: group, help: "Workers, of two slots each.")
    static let isReal: Parameter<Bool> = .flag(
        "real", group: group, help: "Renders generated RAWs. Else nothing is rendered, as by worker --null-renderer.")
    static let patience: Parameter<Double> = .option(
        "patience", "SECONDS", default: 300, must: .within(1...86_400), group: group,
        help: "Longest time for what is left after the harm; and for the harm.")
    static let folder: Parameter<String?> = .optional(
        "folder", "DIR", group: group, completion: .folders,
        help: "Where everything is, a new folder. (default: one in /tmp, removed where all held)")
    static let kafka: Parameter<String?> = .optional(
        "kafka-command", "PROGRAM", group: group, completion: .files,
        help:
            "Starts and harms brokers of its own: PROGRAM start FOLDER --nodes N --port P, which prints their addresses; "
            + "kill FOLDER NODE, restart FOLDER NODE, stop FOLDER.")
    static let nodes: Parameter<Int> = .option(
        "kafka-nodes", "N", default: 1, must: .within(1...3), group: group, help: "Brokers it starts.")

    static let command: Command = Command(
        "torture", summary: "Starts a cluster on this machine, harms it, and checks that nothing is lost.",
        discussion: """
            Without --broker and --kafka-command, the processes meet at librdkafka's imitation of a cluster. It cannot \
            stand every harm: stop, broker and all need a real Kafka.

            Exit status: 0 every promise held, 3 one did not: logs and library stay in the folder.
            """,
        examples: [
            .init("rawmill torture --scenario kill --jobs 10000 --harms 200", "200 times kill -9"),
            .init("rawmill torture --scenario all --kafka-command ./kafka --seed 7", "everything, over a real Kafka"),
        ],
        parameters: [
            scenario, seed, jobs, harms, workers, isReal, patience, folder, kafka, nodes, BrokerOptions.optionalBroker,
        ]
    ) { values in
        let seed = values[seed].map(UInt64.init) ?? UInt64.random(in: 0...UInt64(Int.max))
        let (chosen, isNew) = (values[folder] ?? "/tmp/rawmill-torture-\(seed)-\(getpid())", values[folder] == nil)
        _ = try Root(path: chosen, creating: true)
        let folder = RealPath.of(Array(chosen.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? chosen
        if values[scenario].value == .disk { try TortureDisk.check(folder) }
        let broker = try broker(values, folder)
        defer { broker.stop() }
        let output = TextOutput.standardOutput
        let plan = TortureRun.Plan(
            scenario: values[scenario].value, seed: seed, jobs: values[jobs], harms: values[harms],
            workers: values[workers], harmTime: .seconds(values[patience]), patience: .seconds(values[patience]))
        output.write(
            line: "\(plan.scenario.rawValue), seed \(seed): \(plan.jobs) jobs, \(plan.workers) workers, in \(folder)")
        var run = try TortureRun(
            plan, TorturePlace(folder: folder, broker: broker, isReal: values[isReal]), output: output)
        let verdicts = try await run.run()
        for verdict in verdicts {
            output.write(line: "\(verdict.holds ? "held  " : "BROKEN")  \(verdict.name): \(verdict.text)")
        }
        guard verdicts.allSatisfy(\.holds) else { return ExitStatus.someFailed }
        if isNew {
            broker.stop()
            try Folder.remove(folder)
        }
        return ExitStatus.done
    }

    private static func broker(_ values: Values, _ folder: String) throws -> TortureBroker {
        if let address = values[BrokerOptions.optionalBroker] { return .given(address.value) }
        if let program = values[kafka] {
            let port = 30_000 + Int(getpid()) % 300 * 100
            return try .program(program, folder: "\(folder)/kafka", nodes: values[nodes], port: port)
        }
        let scenario = values[scenario].value
        guard ![.stop, .broker, .all].contains(scenario) else {
            throw UsageError(
                "The scenario \(scenario.rawValue) needs a real Kafka: --kafka-command or --broker.",
                command: values.command)
        }
        return try .mock()
    }
}

/// A folder and everything in it.
private enum Folder {
    static func remove(_ path: String) throws {
        try empty(try Root(path: path), [])
        rmdir(path)
    }

    private static func empty(_ root: Root, _ folder: [UInt8]) throws {
        for entry in try root.entries(of: folder) {
            let path = folder.isEmpty ? entry.name : folder + [UInt8(ascii: "/")] + entry.name
            if entry.kind == .folder {
                try empty(root, path)
                _ = try root.removeFolder(path)
            } else {
                _ = try root.remove(path)
            }
        }
    }
}
