import Broker
import Glibc
import KafkaBroker

/// What the tortured cluster's processes meet at.
final class TortureBroker {
    enum Kind {
        /// librdkafka's imitation of a cluster, in this process.
        case mock(MockCluster)
        /// Brokers that a program starts and harms: `PROGRAM start|kill|restart|stop|topic|groups FOLDER …`.
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

    static func mock(nodes: Int) throws -> TortureBroker {
        let cluster = try MockCluster(brokers: nodes)
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
        let servers = try OtherProgram.run(program, words).split(separator: "\n").last.map(String.init) ?? ""
        guard servers.contains(":") else { throw CommandFailure("\(program) started no broker: \(servers)") }
        return TortureBroker(.program(program, folder: folder, nodes: nodes), servers: servers)
    }

    var isReal: Bool { if case .mock = kind { false } else { true } }

    func stop() {
        if case .program(let program, let folder, _) = kind { _ = try? OtherProgram.run(program, ["stop", folder]) }
    }
}

/// Other programs, run to their end by the shell.
enum OtherProgram {
    /// - Returns: what it wrote.
    static func run(_ program: String, _ words: [String]) throws -> String {
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
