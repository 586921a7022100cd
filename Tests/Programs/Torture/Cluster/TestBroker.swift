import Broker
import CommandLineTool
import KafkaBroker
import MockKafka

/// The brokers of a tortured cluster. They always belong to the run: it accepts no address.
final class TestBroker {
    enum Kind {
        /// librdkafka's mock cluster, in this process.
        case mock(MockCluster)
        /// Brokers that a program starts and harms: `PROGRAM start|kill|restart|stop|topic|groups FOLDER …`.
        case program(String, folder: String, nodes: Int)
    }

    let kind: Kind
    /// "host:port[,host:port]"
    let servers: String
    private let ports: ReservedPorts?

    private init(_ kind: Kind, servers: String, ports: ReservedPorts? = nil) {
        self.kind = kind
        self.servers = servers
        self.ports = ports
    }

    static func mock(nodes: Int) throws -> TestBroker {
        let cluster = try MockCluster(brokers: nodes)
        for topic in Topics.cluster(partitions: 16) + [KafkaTransport.incarnationTopic] {
            cluster.create(topic: topic.name, partitions: topic.partitions)
        }
        return TestBroker(.mock(cluster), servers: cluster.servers)
    }

    static func program(_ program: String, folder: String, nodes: Int) throws -> TestBroker {
        let ports = try ReservedPorts()
        let arguments = ["start", folder, "--nodes", "\(nodes)", "--port", "\(ports.first)"]
        let servers = try ShellCommand.run(program, arguments).split(separator: "\n").last.map(String.init) ?? ""
        guard servers.contains(":") else { throw CommandFailure("\(program) started no broker: \(servers)") }
        return TestBroker(.program(program, folder: folder, nodes: nodes), servers: servers, ports: ports)
    }

    /// The first port of a program's brokers.
    var port: Int? { ports?.first }

    var isMock: Bool { if case .mock = kind { true } else { false } }

    func stop() {
        if case .program(let program, let folder, _) = kind { _ = try? ShellCommand.run(program, ["stop", folder]) }
    }
}

/// Ports for the brokers of one run, reserved against other runs on this machine.
///
/// They are below the system's ephemeral ports. Other programs may still use them. The program that starts the brokers
/// may also listen about 100 and 200 above them, so no two runs are that far apart.
private final class ReservedPorts {
    let first: Int
    private let lock: AbstractSocketLock

    init() throws {
        let candidates = (0..<73).flatMap { hundreds in (0..<9).map { 10_000 + hundreds * 300 + $0 * 10 } }
        for first in candidates.shuffled() {
            guard let lock = AbstractSocketLock("rawmill-torture-\(first)") else { continue }
            (self.first, self.lock) = (first, lock)
            return
        }
        throw CommandFailure("Other runs of rawmill-torture use every port that brokers may have.")
    }
}
