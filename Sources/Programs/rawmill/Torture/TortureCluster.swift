import Glibc
import Processes
import Samples

/// The roles of a tortured cluster, and what is done to their processes.
final class TortureCluster {
    let place: TorturePlace
    let coordinator: TortureProcess
    let catalogue: TortureProcess
    private(set) var workers: [TortureProcess]
    private var newestWorker: Int
    /// Stopped ones are not harmed otherwise until they go on.
    private var stopped: [(worker: TortureProcess, until: ContinuousClock.Instant)] = []

    init(_ place: TorturePlace, workers count: Int) {
        self.place = place
        coordinator = place.process("coordinator", "coordinator")
        catalogue = place.process("catalogue", "catalogue")
        workers = (1...count).map { place.worker($0) }
        newestWorker = count
    }

    var roles: [TortureProcess] { [coordinator, catalogue] + workers }

    func start() throws { for role in roles { try role.start() } }

    /// kill -9, and a new start at once or a moment later.
    func kill(_ random: inout SplitMix64) async throws -> String {
        // The workers are many, the others one each: none is left out for long.
        let victims = [coordinator, catalogue] + awake + awake
        guard let victim = victims.randomElement(using: &random) else { return "nobody" }
        victim.kill()
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...800, using: &random)))
        try victim.start()
        return victim.name
    }

    /// A worker stands still, for longer than its session lasts.
    func stop(_ random: inout SplitMix64) -> String? {
        // One has to be left to get on with.
        guard awake.count > 1, let worker = awake.randomElement(using: &random) else { return nil }
        let seconds = Int.random(in: 7...12, using: &random)
        worker.send(SIGSTOP)
        stopped.append((worker, .now + .seconds(seconds)))
        return "\(worker.name) for \(seconds) s"
    }

    /// Lets those go on whose time is over; or all.
    func wake(all: Bool = false) {
        for entry in stopped where all || entry.until <= .now { entry.worker.send(SIGCONT) }
        stopped.removeAll { all || $0.until <= .now }
    }

    /// A worker is told to end while another one joins.
    ///
    /// - Returns: how it ended; nil as the end of one that had to be killed. Nil where all stand still.
    func drain(_ random: inout SplitMix64) async throws -> (name: String, end: ProcessEnd?)? {
        guard let worker = awake.randomElement(using: &random) else { return nil }
        newestWorker += 1
        let successor = place.worker(newestWorker)
        try successor.start()
        try await worker.askToEnd()
        let end = try await worker.end(within: .seconds(30))
        workers.removeAll { $0 === worker }
        workers.append(successor)
        return (worker.name, end)
    }

    /// A render process dies at its work.
    func killRenderer(_ random: inout SplitMix64) -> String? {
        guard let worker = awake.randomElement(using: &random),
            let child = worker.children.randomElement(using: &random)
        else { return nil }
        Glibc.kill(child, SIGKILL)
        return "one of \(worker.name)"
    }

    /// Every worker is told to end, at the same time.
    ///
    /// - Returns: the names of those that did not end in good order.
    func endWorkers() async throws -> [String] {
        wake(all: true)
        for worker in workers { try await worker.askToEnd() }
        return try await Self.late(workers)
    }

    func startWorkers() throws { for worker in workers { try worker.start() } }

    private static func late(_ roles: [TortureProcess]) async throws -> [String] {
        var late: [String] = []
        for role in roles {
            let end = try await role.end(within: .seconds(30))
            if end != .exited(status: ExitStatus.done) { late.append(role.name) }
        }
        return late
    }

    /// Starts again what ended by itself, as an operator's system would.
    ///
    /// - Returns: its names.
    func startEnded() throws -> [String] {
        let ended = roles.filter(\.hasEnded)
        for role in ended {
            role.kill()
            try role.start()
        }
        return ended.map(\.name)
    }

    /// Every role is told to end.
    ///
    /// - Returns: the names of those that did not end in good order.
    func end() async throws -> [String] {
        let late = try await endWorkers()
        for role in [coordinator, catalogue] { try await role.askToEnd() }
        return try await late + Self.late([coordinator, catalogue])
    }

    func kill() { for role in roles { role.kill() } }

    private var awake: [TortureProcess] { workers.filter { worker in !stopped.contains { $0.worker === worker } } }
}
