import Arguments
import CommandLineTool
import Glibc
import Storage
import Telemetry

/// One call of the program: a run, or a table of them.
struct TortureSession {
    private typealias Options = TortureOptions

    let values: ArgumentValues
    private var scenario: Scenario { values[Options.scenario].value }

    init(_ values: ArgumentValues) { self.values = values }

    /// - Returns: the exit status.
    func run() async throws -> Int32 {
        if let seeds = values[Options.seeds] { return try await table(seeds) }
        let output = TextOutput.standardOutput
        let seed = values[Options.seed].map(UInt64.init) ?? UInt64.random(in: 0...UInt64(Int.max))
        let outcome = try await run(seed: seed) { output.write(line: $0) }
        for verdict in outcome.verdicts {
            output.write(line: "\(verdict.holds ? "held  " : "BROKEN")  \(verdict.name): \(verdict.text)")
        }
        return outcome.holds ? ExitStatus.done : ExitStatus.someFailed
    }

    /// Prints a row for each seed, and one for all of them.
    private func table(_ seeds: SeedRange) async throws -> Int32 {
        let output = TextOutput.standardOutput
        var table = OutcomeTable(scenario)
        var allHold = true
        output.write(line: OutcomeTable.head)
        for seed in seeds.range {
            let start = ContinuousClock.now
            do {
                let outcome = try await run(seed: seed)
                allHold = allHold && outcome.holds
                output.write(line: table.add(outcome, seed: seed, time: .now - start))
            } catch {
                try Task.checkCancellation()
                allHold = false
                output.write(line: table.addFailure(seed: seed, CommandFailure(error).message))
            }
        }
        output.write(line: table.total)
        return allHold ? ExitStatus.done : ExitStatus.someFailed
    }

    /// One run. Its folder is removed if every promise held, unless the user gave it.
    private func run(seed: UInt64, report: @escaping (String) -> Void = { _ in }) async throws -> Outcome {
        let given = values[Options.folder].map { values[Options.seeds] == nil ? $0 : "\($0)-\(seed)" }
        let path = given ?? "/tmp/rawmill-torture-\(scenario.rawValue)-\(seed)-\(getpid())"
        _ = try Root(path: path, creating: true)
        let folder = RealPath.of(Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? path
        let plan = plan(seed)
        report("\(plan.scenario.rawValue), seed \(seed): \(plan.jobs) jobs, in \(folder)")
        let outcome =
            plan.scenario == .export
            ? try await export(plan, folder, report) : try await cluster(plan, folder, report)
        if given == nil, outcome.holds { try FolderRemoval.remove(folder) }
        return outcome
    }

    private func cluster(_ plan: Plan, _ folder: String, _ report: @escaping (String) -> Void) async throws -> Outcome {
        if plan.scenario == .disk { try DiskFiller.check(folder) }
        let database = try database(in: folder)
        defer { database?.stop() }
        let broker = try broker(in: folder)
        defer { broker.stop() }
        let isReal = values[Options.isReal] || plan.scenario.needsPictures
        let layout = ClusterLayout(
            folder: folder, broker: broker, database: database, megapixels: isReal ? values[Options.megapixels] : nil,
            hasPoison: plan.scenario.hasPoison, isStatic: plan.scenario == .poison)
        var run = try TortureRun(plan, layout, report: report)
        return try await run.run()
    }

    private func export(_ plan: Plan, _ folder: String, _ report: @escaping (String) -> Void) async throws -> Outcome {
        var run = ExportRun(plan, folder: folder, megapixels: values[Options.megapixels], report: report)
        return try await run.run()
    }

    private func plan(_ seed: UInt64) -> Plan {
        Plan(
            scenario: scenario, seed: seed, jobs: values[Options.jobs], harms: values[Options.harms],
            workers: values[Options.workers], patience: .seconds(values[Options.patience]),
            outage: .seconds(values[Options.outage]))
    }

    private func database(in folder: String) throws -> TestDatabase? {
        guard let program = values[Options.database] else {
            guard scenario.needsDatabase else { return nil }
            throw UsageError(
                "The scenario \(scenario.rawValue) needs a server: give --database-command.", command: values.command)
        }
        return try TestDatabase(program, folder: "\(folder)/database")
    }

    // MARK: - Brokers

    private func broker(in folder: String) throws -> TestBroker {
        let isReal = values[Options.kafka] != nil
        if scenario.brokerKind == .realKafka, !isReal {
            throw UsageError(
                "The scenario \(scenario.rawValue) needs a real Kafka: give --kafka-command.",
                command: values.command)
        }
        if scenario.brokerKind == .mock, isReal {
            throw UsageError(
                "The scenario \(scenario.rawValue) needs the mock cluster: leave --kafka-command out.",
                command: values.command)
        }
        let nodes = values[Options.nodes] ?? scenario.brokers
        guard let program = values[Options.kafka] else { return try .mock(nodes: nodes) }
        return try startBroker(program, folder, nodes)
    }

    /// Another program may use one of the ports: two more attempts, on other ports.
    private func startBroker(_ program: String, _ folder: String, _ nodes: Int) throws -> TestBroker {
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

/// Removes a folder with its contents.
private enum FolderRemoval {
    static func remove(_ path: String) throws {
        try empty(try Root(path: path), [])
        unsafe rmdir(path)
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
