import Broker
import Coordinator
import Digest
import Glibc
import Jobs
import Manifests
import Synchronization

/// Measures the coordinator with the embedded broker on a folder of empty files: the rates of walking, accepting and
/// publishing, the time of a second run that finds nothing new, and memory.
///
///     coordinator-rates FOLDER FILES FILES-PER-FOLDER
///
/// FOLDER is created and filled if it does not exist, and can be reused. The library is created next to it and removed.
/// To check for memory growth, compare runs with different numbers of files.
@main
enum CoordinatorRates {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let files = Int(arguments[2]), let filesPerFolder = Int(arguments[3]),
            filesPerFolder > 0
        else {
            print("usage: coordinator-rates FOLDER FILES FILES-PER-FOLDER")
            exit(64)
        }
        if access(arguments[1], F_OK) != 0 { fill(arguments[1], files: files, filesPerFolder: filesPerFolder) }
        let library = "\(arguments[1]).library"
        remove(library)
        report("start", jobs: 0, since: Start())
        try await dryRun(arguments[1], library)
        try await run(arguments[1], library)
        remove(library)
    }

    private static func recipe() throws -> Recipe {
        guard let look = LookReference(name: "neutral", version: 1, digest: SHA256Value(of: [1])) else {
            throw BrokerError.closed
        }
        return Recipe(look: look)
    }

    private static func dryRun(_ archive: String, _ library: String) async throws {
        let start = Start()
        let plan = try await DryRun.plan(
            sources: [Array(archive.utf8)], library: library, recipes: { _ in [try recipe()] }, report: { _, _ in })
        report("walk, as a dry run without a ledger", jobs: plan.new, since: start)
    }

    private static func run(_ archive: String, _ library: String) async throws {
        let ledger = try await Ledger.open(library: library)
        let broker = try await EmbeddedBroker.open(path: library + "/.rawmill/broker.sqlite")
        try await broker.create(Topics.local)
        let start = Start()
        let isPlanned = Atomic(false)
        try await submit(archive, library, ledger, broker) { plan in
            isPlanned.store(true, ordering: .relaxed)
            report("walk and accept, publishing meanwhile", jobs: plan.submitted, since: start)
        } until: {
            try await ledger.perform { try !$0.outbox.hasWaitingJobs() } && isPlanned.load(ordering: .relaxed)
        }
        report(
            "walk, accept and publish", jobs: try await ledger.perform { try $0.reports.totals().open }, since: start)
        let again = Start()
        let isPlannedAgain = Atomic(false)
        try await submit(archive, library, ledger, broker) { plan in
            report("plan again, all pending", jobs: plan.pending, since: again)
            isPlannedAgain.store(true, ordering: .relaxed)
        } until: {
            isPlannedAgain.load(ordering: .relaxed)
        }
        await broker.close()
    }

    private static func submit(
        _ archive: String, _ library: String, _ ledger: Ledger, _ broker: EmbeddedBroker,
        planned: @escaping @Sendable (PlanCounts) -> Void, until isOver: @Sendable () async throws -> Bool
    ) async throws {
        let run = CoordinatorRun(
            ledger: ledger, transport: broker, library: library, settings: RunSettings { "\($0).workers" },
            report: { event in if case .planned(let plan) = event { planned(plan) } })
        let submission = Submission(recipe: try recipe(), submittedMilliseconds: 0)
        let task = Task { try await run.run([RunRequest(sources: [Array(archive.utf8)], submission: submission)]) }
        while try await !isOver() { try await Task.sleep(for: .milliseconds(20)) }
        task.cancel()
        _ = try await task.value
    }

    private static func report(_ name: String, jobs: Int, since start: Start) {
        let seconds = start.time.duration(to: .now) / .seconds(1)
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let rate = jobs > 0 ? "\(jobs) in \(Int(seconds * 1000)) ms, \(Int(Double(jobs) / seconds)) a second, " : ""
        let spent = Int((usage.cpuSeconds - start.cpuSeconds) * 1000)
        print("\(name): \(rate)\(spent) ms of processor time, \(usage.ru_maxrss / 1024) MB peak memory")
    }

    /// Start of a measurement. Unlike elapsed time, processor time does not depend on other load.
    private struct Start {
        let time = ContinuousClock.now
        let cpuSeconds: Double

        init() {
            var usage = rusage()
            getrusage(RUSAGE_SELF.rawValue, &usage)
            cpuSeconds = usage.cpuSeconds
        }
    }

    /// Creates empty files named like a camera's, `filesPerFolder` in each folder.
    private static func fill(_ archive: String, files: Int, filesPerFolder: Int) {
        mkdir(archive, 0o777)
        for number in 0..<files {
            let folder = "\(archive)/\(100 + number / filesPerFolder)CANON"
            if number.isMultiple(of: filesPerFolder) { mkdir(folder, 0o777) }
            close(open("\(folder)/IMG_\(number).CR2", O_WRONLY | O_CREAT | O_CLOEXEC, 0o666))
        }
    }

    private static func remove(_ library: String) {
        for file in ["coordinator.sqlite", "broker.sqlite"] {
            for suffix in ["", "-wal", "-shm", ".lock"] { unlink("\(library)/.rawmill/\(file)\(suffix)") }
        }
        rmdir(library + "/.rawmill")
        rmdir(library)
    }
}

extension rusage {
    fileprivate var cpuSeconds: Double {
        Double(ru_utime.tv_sec + ru_stime.tv_sec) + Double(ru_utime.tv_usec + ru_stime.tv_usec) / 1e6
    }
}
