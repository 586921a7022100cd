import Broker
import Glibc
import KafkaBroker

/// What the tortured cluster's processes meet at.
final class TortureBroker {
    enum Kind {
        /// librdkafka's imitation of a cluster, in this process.
        case mock(MockCluster)
        /// Brokers that a program starts and harms: `PROGRAM start|kill|restart|stop FOLDER …`.
        case program(String, folder: String, nodes: Int)
        /// Somebody else's: it is not harmed.
        case given
    }

    let kind: Kind
    /// "host:port[,host:port]"
    let servers: String

    private init(_ kind: Kind, servers: String) {
        self.kind = kind
        self.servers = servers
    }

    static func mock() throws -> TortureBroker {
        let cluster = try MockCluster(brokers: 1)
        for topic in Topics.onCluster(partitions: 16) + [KafkaTransport.incarnations] {
            cluster.create(topic: topic.name, partitions: topic.partitions)
        }
        return TortureBroker(.mock(cluster), servers: cluster.servers)
    }

    static func given(_ address: KafkaAddress) -> TortureBroker {
        TortureBroker(.given, servers: String(address.description.dropFirst("kafka://".count)))
    }

    static func program(_ program: String, folder: String, nodes: Int, port: Int) throws -> TortureBroker {
        let words = ["start", folder, "--nodes", "\(nodes)", "--port", "\(port)"]
        let servers = try run(program, words).split(separator: "\n").last.map(String.init) ?? ""
        guard servers.contains(":") else { throw CommandFailure("\(program) started no broker: \(servers)") }
        return TortureBroker(.program(program, folder: folder, nodes: nodes), servers: servers)
    }

    var isReal: Bool { if case .mock = kind { false } else { true } }

    /// Kills one broker, or all of them, and has them back after that time.
    ///
    /// - Returns: what was done; nil where these brokers are not ours to harm.
    func harm(all: Bool, node: Int, away: Duration) async throws -> String? {
        switch kind {
        case .given: return nil
        case .mock(let cluster):
            cluster.takeDown()
            try await Task.sleep(for: away)
            cluster.bringUp()
            return "broker down for \(away)"
        case .program(let program, let folder, let nodes):
            let chosen = all ? Array(1...nodes) : [(node - 1) % nodes + 1]
            for node in chosen { _ = try Self.run(program, ["kill", folder, "\(node)"]) }
            try await Task.sleep(for: away)
            for node in chosen { _ = try Self.run(program, ["restart", folder, "\(node)"]) }
            return "broker \(chosen) killed, back after \(away)"
        }
    }

    func stop() {
        if case .program(let program, let folder, _) = kind { _ = try? Self.run(program, ["stop", folder]) }
    }

    /// Runs the program to its end, by the shell.
    ///
    /// - Returns: what it wrote.
    private static func run(_ program: String, _ words: [String]) throws -> String {
        let quoted = ([program] + words).map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }
        guard let pipe = popen(quoted.joined(separator: " ") + " 2>&1", "re") else {
            throw CommandFailure("\(program) could not be started.")
        }
        var text = ""
        var bytes = [CChar](repeating: 0, count: 4096)
        while fgets(&bytes, Int32(bytes.count), pipe) != nil {
            text += String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        guard pclose(pipe) == 0 else { throw CommandFailure("\(program) \(words[0]) failed: \(text)") }
        return text
    }
}
