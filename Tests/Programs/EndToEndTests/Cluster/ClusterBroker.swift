import Broker
import ExternalTools
import Foundation
import KafkaBroker
import MockKafka
import Testing

enum ClusterBroker: Sendable {
    /// librdkafka's mock cluster, in this process.
    case mock
    /// A separate Apache Kafka for each test. A test that uses it has the trait `.needs(.kafka)`.
    case kafka

    /// The program that starts and stops an Apache Kafka.
    static let kafkaScript = Checkout.shared.appending(path: "kafka/kafka").path

    /// - Parameter port: of a real Kafka; nil for any.
    func start(in folder: URL, port: Int? = nil) throws -> RunningBroker {
        switch self {
        case .mock:
            let cluster = try MockCluster(brokers: 1)
            // It has no topic administration: topics are made here.
            for topic in Topics.cluster(partitions: 4) + [KafkaTransport.incarnationTopic] {
                cluster.create(topic: topic.name, partitions: topic.partitions)
            }
            return RunningBroker(servers: cluster.servers, mock: cluster)
        case .kafka:
            let port = port ?? Int.random(in: 250...290) * 100 + 7
            let kafka = try SupervisedKafka(folder: folder.appending(path: "kafka").path, port: port)
            return RunningBroker(servers: kafka.servers) { kafka.stop() }
        }
    }
}

/// A broker of a real Kafka, supervised by a shell: the shell's input ends with this process, and the shell then stops
/// the broker.
private final class SupervisedKafka {
    let servers: String
    private let shell = Process()
    private let input = Pipe()

    private static let commands = """
        trap : INT TERM
        "$1" start "$2" --port "$3" 2>&1 | tail -n 1
        read -r
        "$1" stop "$2" >/dev/null 2>&1
        """

    init(folder: String, port: Int) throws {
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", Self.commands, "supervisor", ClusterBroker.kafkaScript, folder, "\(port)"]
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        servers = text.trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(servers.hasPrefix("127.0.0.1:"), "\(servers)")
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        shell.waitUntilExit()
    }
}

/// Stopped with the object.
final class RunningBroker {
    let servers: String
    let mock: MockCluster?
    private var stop: () -> Void

    init(servers: String, mock: MockCluster? = nil, stop: @escaping () -> Void = {}) {
        self.servers = servers
        self.mock = mock
        self.stop = stop
    }

    deinit { stop() }

    func end() {
        stop()
        stop = {}
    }
}
