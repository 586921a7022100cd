import Broker
import KafkaBroker
import MockKafka
import Samples
import Worker

extension TestBroker {
    /// Takes one broker or all of them down, and brings them back after that time.
    ///
    /// - Parameter meanwhile: called while they are down.
    /// - Returns: a description; nil for brokers that the run does not control.
    func takeDown(
        all: Bool, node: Int, for time: Duration, meanwhile: () throws -> Void = {}
    ) async throws -> String? {
        switch kind {
        case .mock(let cluster):
            cluster.takeDown()
            try meanwhile()
            try await Task.sleep(for: time)
            cluster.bringUp()
            return "brokers down for \(time)"
        case .program(let program, let folder, let nodes):
            let chosen = all ? Array(1...nodes) : [(node - 1) % nodes + 1]
            for node in chosen { _ = try ShellCommand.run(program, ["kill", folder, "\(node)"]) }
            try meanwhile()
            try await Task.sleep(for: time)
            for node in chosen { _ = try ShellCommand.run(program, ["restart", folder, "\(node)"]) }
            return "broker \(chosen) killed, back after \(time)"
        }
    }

    /// Moves partition leaders and group coordinators to other brokers. The mock cluster moves them on request; of a
    /// real Kafka, one broker is killed and restarted.
    func moveLeaders(_ random: inout SplitMix64) async throws -> String? {
        guard case .mock(let cluster) = kind else {
            let time = Duration.milliseconds(Int.random(in: 1000...4000, using: &random))
            return try await takeDown(all: false, node: Int.random(in: 1...3, using: &random), for: time)
        }
        let topics = Topics.cluster(partitions: 16)
        for topic in topics {
            for partition in 0..<topic.partitions where Bool.random(using: &random) {
                cluster.move(leaderOf: topic.name, partition: partition, to: Int32.random(in: 1...3, using: &random))
            }
        }
        for topic in Topics.jobTopics {
            cluster.move(
                coordinatorOf: WorkerGroup.name(topic: topic), to: Int32.random(in: 1...3, using: &random))
        }
        return "leaders of \(topics.count) topics, coordinators of \(Topics.jobTopics.count) groups"
    }

    /// Makes the next requests of some kind fail. Only the mock cluster can do that.
    func injectErrors(_ random: inout SplitMix64) -> String? {
        // Group synchronisation is left out. If one member's is refused, the mock cluster makes the others wait for a
        // whole session and then expels them. It identifies members by their addresses in memory, and aborts the
        // process when one returns at an address that another has now.
        let requests = MockCluster.Request.allCases.filter { $0 != .syncGroup }
        guard case .mock(let cluster) = kind, let request = requests.randomElement(using: &random) else { return nil }
        let count = Int.random(in: 1...5, using: &random)
        let faults = (0..<count).compactMap { _ in request.transientFaults.randomElement(using: &random) }
        cluster.inject(faults, into: request)
        return "\(faults.count) of \(request)"
    }

    /// Deletes all brokers with their data, and restarts them at the same addresses, empty.
    ///
    /// - Returns: a description; nil for brokers that no program starts.
    func rebuild() async throws -> String? {
        guard case .program(let program, let folder, let nodes) = kind, let port else { return nil }
        _ = try ShellCommand.run(program, ["stop", folder])
        _ = try ShellCommand.run("/bin/rm", ["-rf", folder])
        _ = try ShellCommand.run(program, ["start", folder, "--nodes", "\(nodes)", "--port", "\(port)"])
        return "Kafka deleted and set up again"
    }

    /// Deletes a topic like an operator, by Kafka's own program.
    func delete(_ topic: String) -> String? {
        guard case .program(let program, let folder, _) = kind else { return nil }
        // It may still be missing since the last time, because it was not needed.
        guard (try? ShellCommand.run(program, ["topic", folder, "--delete", "--topic", topic])) != nil else {
            return nil
        }
        return "\(topic) deleted"
    }

    /// Sets the workers' offsets in a topic. Kafka does that only for a group without members.
    func resetOffsets(of topic: String, toEarliest: Bool) throws -> String? {
        guard case .program(let program, let folder, _) = kind else { return nil }
        let target = toEarliest ? "--to-earliest" : "--to-latest"
        _ = try ShellCommand.run(
            program,
            [
                "groups", folder, "--reset-offsets", target, "--topic", topic, "--group",
                WorkerGroup.name(topic: topic), "--execute",
            ])
        return "offsets in \(topic) \(target)"
    }
}
