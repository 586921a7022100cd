import Arguments
import Glibc
import Storage
import Telemetry

extension TortureCommand {
    /// A row for each seed, and one for all of them.
    static func table(_ values: Values, _ seeds: SeedRange, _ output: TextOutput) async throws -> Int32 {
        var table = TortureTable(values[scenario].value)
        var allHold = true
        output.write(line: TortureTable.head)
        for seed in seeds.range {
            let start = ContinuousClock.now
            do {
                let outcome = try await run(values, seed: seed)
                allHold = allHold && outcome.holds
                output.write(line: table.row(outcome, seed: seed, time: .now - start))
            } catch {
                try Task.checkCancellation()
                allHold = false
                output.write(line: table.failed(seed: seed, CommandFailure(error).message))
            }
        }
        output.write(line: table.total)
        return allHold ? ExitStatus.done : ExitStatus.someFailed
    }

    /// One run; its folder goes where all held, unless it was given.
    static func run(
        _ values: Values, seed: UInt64, tell: @escaping (String) -> Void = { _ in }
    ) async throws -> TortureOutcome {
        let isNew = values[folder] == nil
        let chosen = values[folder].map { values[seeds] == nil ? $0 : "\($0)-\(seed)" }
        let path = chosen ?? "/tmp/rawmill-torture-\(values[scenario].value)-\(seed)-\(getpid())"
        _ = try Root(path: path, creating: true)
        let folder = RealPath.of(Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? path
        let plan = plan(values, seed)
        if plan.scenario == .disk { try TortureDisk.check(folder) }
        let broker = try broker(values, folder)
        defer { broker.stop() }
        tell("\(plan.scenario.rawValue), seed \(seed): \(plan.jobs) jobs, \(plan.workers) workers, in \(folder)")
        let place = TorturePlace(
            folder: folder, broker: broker, megapixels: values[isReal] ? values[megapixels] : nil,
            hasPoison: plan.scenario.hasPoison, isStatic: plan.scenario == .poison)
        var run = try TortureRun(plan, place, tell: tell)
        let outcome = try await run.run()
        if isNew, outcome.holds {
            broker.stop()
            try Folder.remove(folder)
        }
        return outcome
    }

    private static func plan(_ values: Values, _ seed: UInt64) -> TortureRun.Plan {
        TortureRun.Plan(
            scenario: values[scenario].value, seed: seed, jobs: values[jobs], harms: values[harms],
            workers: values[workers], harmTime: .seconds(values[patience]), patience: .seconds(values[patience]),
            outage: .seconds(values[outage]))
    }

    private static func broker(_ values: Values, _ folder: String) throws -> TortureBroker {
        let scenario = values[scenario].value
        let isReal = values[BrokerOptions.optionalBroker] != nil || values[kafka] != nil
        if scenario.need == .realKafka, !isReal {
            throw UsageError(
                "The scenario \(scenario.rawValue) needs a real Kafka: --kafka-command or --broker.",
                command: values.command)
        }
        if scenario.need == .imitation, isReal {
            throw UsageError(
                "The scenario \(scenario.rawValue) needs the imitation of a cluster: leave --kafka-command and --broker out.",
                command: values.command)
        }
        let nodes = values[nodes] ?? scenario.brokers
        if let address = values[BrokerOptions.optionalBroker] { return .given(address.value) }
        guard let program = values[kafka] else { return try .mock(nodes: nodes) }
        return try startedBroker(program, folder, nodes)
    }

    /// Somebody else may have one of the ports: then on others.
    private static func startedBroker(_ program: String, _ folder: String, _ nodes: Int) throws -> TortureBroker {
        var attempt = 0
        while true {
            attempt += 1
            do {
                return try .program(program, folder: "\(folder)/kafka-\(attempt)", nodes: nodes)
            } catch {
                if attempt == 3 { throw error }
            }
        }
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
