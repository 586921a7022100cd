import Broker
import Glibc
import KafkaBroker
import Processes

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
    private let ports: TorturePorts?

    private init(_ kind: Kind, servers: String, ports: TorturePorts? = nil) {
        self.kind = kind
        self.servers = servers
        self.ports = ports
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

    static func program(_ program: String, folder: String, nodes: Int) throws -> TortureBroker {
        let ports = try TorturePorts()
        let words = ["start", folder, "--nodes", "\(nodes)", "--port", "\(ports.first)"]
        let servers = try OtherProgram.run(program, words).split(separator: "\n").last.map(String.init) ?? ""
        guard servers.contains(":") else { throw CommandFailure("\(program) started no broker: \(servers)") }
        return TortureBroker(.program(program, folder: folder, nodes: nodes), servers: servers, ports: ports)
    }

    var isReal: Bool { if case .mock = kind { false } else { true } }

    func stop() {
        if case .program(let program, let folder, _) = kind { _ = try? OtherProgram.run(program, ["stop", folder]) }
    }
}

/// Ports for the brokers of one torture, which no other one on this machine takes meanwhile.
///
/// They lie below those that the system gives to connections by itself; others may have them all the same. The program that
/// starts the brokers may listen about 100 and 200 above them, too, so that no two runs are that far apart.
private final class TorturePorts {
    let first: Int
    private let name: HeldName

    init() throws {
        let places = (0..<73).flatMap { hundreds in (0..<9).map { 10_000 + hundreds * 300 + $0 * 10 } }
        for first in places.shuffled() {
            guard let name = HeldName("rawmill-torture-\(first)") else { continue }
            (self.first, self.name) = (first, name)
            return
        }
        throw CommandFailure("Every port that brokers may have is another torture's.")
    }
}

/// Other programs, run to their end by the shell.
enum OtherProgram {
    /// - Returns: what it wrote.
    static func run(_ program: String, _ words: [String]) throws -> String {
        let line = ([program] + words).map(quoted).joined(separator: " ")
        guard let pipe = popen(line + " 2>&1", "re") else {
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

    /// The word as the shell has to be given it.
    static func quoted(_ word: String) -> String { "'" + word.replacing("'", with: #"'\''"#) + "'" }
}
