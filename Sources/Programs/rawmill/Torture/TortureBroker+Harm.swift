import Broker
import KafkaBroker
import Samples
import Worker

extension TortureBroker {
    /// Takes one broker down, or all of them, and has them back after that time.
    ///
    /// - Returns: what was done; nil where these brokers are not ours to harm.
    func harm(all: Bool, node: Int, away: Duration, meanwhile: () throws -> Void = {}) async throws -> String? {
        switch kind {
        case .given: return nil
        case .mock(let cluster):
            cluster.takeDown()
            try meanwhile()
            try await Task.sleep(for: away)
            cluster.bringUp()
            return "brokers down for \(away)"
        case .program(let program, let folder, let nodes):
            let chosen = all ? Array(1...nodes) : [(node - 1) % nodes + 1]
            for node in chosen { _ = try OtherProgram.run(program, ["kill", folder, "\(node)"]) }
            try meanwhile()
            try await Task.sleep(for: away)
            for node in chosen { _ = try OtherProgram.run(program, ["restart", folder, "\(node)"]) }
            return "broker \(chosen) killed, back after \(away)"
        }
    }

    /// Other brokers lead partitions and coordinate groups: of the imitation any of them; of a real Kafka what one
    /// broker had, which is killed and comes back.
    func moveLeaders(_ random: inout SplitMix64) async throws -> String? {
        guard case .mock(let cluster) = kind else {
            let away = Duration.milliseconds(Int.random(in: 1000...4000, using: &random))
            return try await harm(all: false, node: Int.random(in: 1...3, using: &random), away: away)
        }
        let topics = Topics.onCluster(partitions: 16)
        for topic in topics {
            for partition in 0..<topic.partitions where Bool.random(using: &random) {
                cluster.move(leaderOf: topic.name, partition: partition, to: Int32.random(in: 1...3, using: &random))
            }
        }
        for topic in Topics.ofJobs {
            cluster.move(
                coordinatorOf: WorkerGroup.name(topic: topic), to: Int32.random(in: 1...3, using: &random))
        }
        return "leaders of \(topics.count) topics, coordinators of \(Topics.ofJobs.count) groups"
    }

    /// The next requests of some kind are answered by errors. Only the imitation can do that.
    func answerErrors(_ random: inout SplitMix64) -> String? {
        // Where one member's assignment is refused, the imitation has the others wait for a whole session and then counts them
        // out. It tells members apart by their addresses in memory: one that comes back while another has its address
        // makes it end the process.
        let requests = MockCluster.Request.allCases.filter { $0 != .syncGroup }
        guard case .mock(let cluster) = kind, let request = requests.randomElement(using: &random) else { return nil }
        let count = Int.random(in: 1...5, using: &random)
        let faults = (0..<count).compactMap { _ in request.passingFaults.randomElement(using: &random) }
        cluster.inject(faults, into: request)
        return "\(faults.count) of \(request)"
    }

    /// Deletes a topic of jobs as an operator would, by Kafka's own program. The coordinator makes it again.
    func delete(_ topic: String) -> String? {
        guard case .program(let program, let folder, _) = kind else { return nil }
        // It may be gone since the last time: nobody has needed it.
        guard (try? OtherProgram.run(program, ["topic", folder, "--delete", "--topic", topic])) != nil else {
            return nil
        }
        return "\(topic) deleted"
    }

    /// Sets where the workers go on in a topic. Kafka does that for a group without members only.
    func resetOffsets(of topic: String, toEarliest: Bool) throws -> String? {
        guard case .program(let program, let folder, _) = kind else { return nil }
        let target = toEarliest ? "--to-earliest" : "--to-latest"
        _ = try OtherProgram.run(
            program,
            [
                "groups", folder, "--reset-offsets", target, "--topic", topic, "--group",
                WorkerGroup.name(topic: topic), "--execute",
            ])
        return "offsets in \(topic) \(target)"
    }
}
