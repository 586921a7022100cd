import CommandLineTool
import Glibc
import Processes
import Samples

/// The roles of a tortured cluster, and the harm to their processes.
final class ClusterRoles {
    let layout: ClusterLayout
    /// One, or two if the ledger is on a server, of which one stands by.
    let coordinators: [RoleProcess]
    let catalogue: RoleProcess
    private(set) var workers: [RoleProcess]
    private var newestWorker: Int
    /// Roles under SIGSTOP. They receive no other harm until they continue.
    private var stopped: [(role: RoleProcess, until: ContinuousClock.Instant)] = []
    /// Roles with a failing disk, now or later. Those with a single failing call have no end.
    private var failing: [(role: RoleProcess, until: ContinuousClock.Instant?)] = []

    init(_ layout: ClusterLayout, workers count: Int) throws {
        self.layout = layout
        let names = layout.database == nil ? ["coordinator"] : ["coordinator", "coordinator-2"]
        coordinators = names.map { layout.process($0, "coordinator") }
        catalogue = layout.process("catalogue", "catalogue")
        workers = try (1...count).map { try layout.worker($0) }
        newestWorker = count
    }

    var all: [RoleProcess] { coordinators + [catalogue] + workers }

    func start() throws { for role in all { try role.start() } }

    /// Kills a role with SIGKILL, and restarts it at once or a moment later.
    ///
    /// - Returns: its name.
    func kill(_ random: inout SplitMix64) async throws -> String {
        // There are several workers but one of each other role: these odds spare none for long.
        let victims = coordinators + [catalogue] + running + running
        guard let victim = victims.randomElement(using: &random) else { return "nothing" }
        victim.kill()
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...800, using: &random)))
        try victim.start()
        return victim.name
    }

    /// Kills a role, and restarts it with a failing disk.
    ///
    /// - Returns: its name, and the failure.
    func failCall(_ random: inout SplitMix64) async throws -> (name: String, fault: CallFault)? {
        let victims = coordinators + coordinators + [catalogue, catalogue] + running
        guard let victim = victims.randomElement(using: &random) else { return nil }
        let fault = CallFault(&random)
        victim.kill()
        failing.removeAll { $0.role === victim }
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...400, using: &random)))
        try victim.start(environment: try fault.environment(below: layout.library))
        let seconds = Int.random(in: 1...8, using: &random)
        failing.append((victim, fault.isLasting ? .now + .seconds(seconds) : nil))
        return (victim.name, fault)
    }

    /// Restarts the roles whose disk is repaired by now, or all whose disk may still fail.
    ///
    /// - Returns: the number of workers killed for that.
    func mend(all: Bool = false) throws -> Int {
        let mended = failing.filter { entry in all || entry.until.map { $0 <= .now } == true }.map(\.role)
        for role in mended {
            role.kill()
            try role.start()
        }
        failing.removeAll { entry in mended.contains { $0 === entry.role } }
        return workers.count { worker in mended.contains { $0 === worker } }
    }

    /// Stops a worker (SIGSTOP) for longer than its session lasts.
    ///
    /// - Returns: its name and the time; nil if only one is running.
    func stop(_ random: inout SplitMix64) -> String? {
        // One worker must continue.
        guard running.count > 1, let worker = running.randomElement(using: &random) else { return nil }
        let seconds = Int.random(in: 7...12, using: &random)
        worker.send(SIGSTOP)
        stopped.append((worker, .now + .seconds(seconds)))
        return "\(worker.name) for \(seconds) s"
    }

    /// Stops a coordinator (SIGSTOP) for longer than another waits before it takes over.
    func stopCoordinator(_ random: inout SplitMix64) -> String? {
        guard coordinators.count > 1, let coordinator = coordinators.randomElement(using: &random) else { return nil }
        let seconds = Int.random(in: 18...24, using: &random)
        coordinator.send(SIGSTOP)
        stopped.append((coordinator, .now + .seconds(seconds)))
        return "\(coordinator.name) for \(seconds) s"
    }

    /// Continues the stopped roles whose time is over, or all of them.
    func resume(all: Bool = false) {
        for entry in stopped where all || entry.until <= .now { entry.role.send(SIGCONT) }
        stopped.removeAll { all || $0.until <= .now }
    }

    /// Stops a worker cleanly while another one joins.
    ///
    /// - Returns: the worker's name and its end, nil if it had to be killed; nil if all are stopped.
    func drain(_ random: inout SplitMix64) async throws -> (name: String, end: ProcessEnd?)? {
        guard let worker = running.randomElement(using: &random) else { return nil }
        newestWorker += 1
        let successor = try layout.worker(newestWorker)
        try successor.start()
        try await worker.requestEnd()
        let end = try await worker.end(within: .seconds(30))
        workers.removeAll { $0 === worker }
        workers.append(successor)
        return (worker.name, end)
    }

    /// Kills a worker, and restarts it with its archive or library unmounted. It is mounted a while later.
    ///
    /// - Returns: a description; nil if no worker runs.
    func unmount(_ random: inout SplitMix64) async throws -> String? {
        guard let worker = running.randomElement(using: &random), let mounts = worker.mounts,
            let folder = WorkerMounts.Folder.allCases.randomElement(using: &random)
        else { return nil }
        let seconds = Int.random(in: 2...6, using: &random)
        worker.kill()
        try mounts.hide(folder)
        try worker.start()
        try await Task.sleep(for: .seconds(seconds))
        try mounts.show(folder, folder == .library ? layout.library : layout.archive)
        return "the \(folder.rawValue) of \(worker.name) for \(seconds) s"
    }

    /// Stops up to two roles of any kind (SIGSTOP).
    func standStill(_ random: inout SplitMix64) -> [RoleProcess] {
        let chosen = Array(all.shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)))
        for role in chosen { role.send(SIGSTOP) }
        return chosen
    }

    func goOn(_ roles: [RoleProcess]) { for role in roles { role.send(SIGCONT) } }

    /// Kills a busy render process.
    func killRenderProcess(_ random: inout SplitMix64) -> String? {
        guard let worker = running.randomElement(using: &random),
            let child = worker.children.randomElement(using: &random)
        else { return nil }
        Glibc.kill(child, SIGKILL)
        return "one of \(worker.name)"
    }

    /// Stops all workers at the same time.
    ///
    /// - Returns: the names of those that did not end cleanly.
    func endWorkers() async throws -> [String] {
        resume(all: true)
        for worker in workers { try await worker.requestEnd() }
        return try await Self.disorderlyEnds(of: workers)
    }

    func startWorkers() throws { for worker in workers { try worker.start() } }

    private static func disorderlyEnds(of roles: [RoleProcess]) async throws -> [String] {
        var names: [String] = []
        for role in roles {
            let end = try await role.end(within: .seconds(30))
            if end != .exited(status: ExitStatus.done) { names.append(role.name) }
        }
        return names
    }

    /// Restarts roles that ended on their own, like an operator's service manager.
    ///
    /// - Returns: their names.
    func restartEnded() throws -> [String] {
        let ended = all.filter(\.hasEnded)
        for role in ended {
            role.kill()
            try role.start()
        }
        return ended.map(\.name)
    }

    /// Stops every role.
    ///
    /// - Returns: the names of those that did not end cleanly.
    func end() async throws -> [String] {
        let workers = try await endWorkers()
        for role in coordinators + [catalogue] { try await role.requestEnd() }
        return try await workers + Self.disorderlyEnds(of: coordinators + [catalogue])
    }

    func kill() { for role in all { role.kill() } }

    private var running: [RoleProcess] { workers.filter { worker in !stopped.contains { $0.role === worker } } }
}
