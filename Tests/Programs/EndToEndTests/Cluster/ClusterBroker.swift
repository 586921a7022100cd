import Broker
import ExternalTools
import Foundation
import KafkaBroker
import Testing

/// What the cluster's processes meet at.
enum ClusterBroker: Sendable, CustomTestStringConvertible {
    /// librdkafka's imitation, in this process.
    case mock
    /// An Apache Kafka of its own for each test, by the script that starts it.
    case kafka(script: String)

    static let all: [ClusterBroker] = [.mock] + (script.map { [.kafka(script: $0)] } ?? [])

    var testDescription: String {
        switch self {
        case .mock: "mock cluster"
        case .kafka: "Apache Kafka"
        }
    }

    private static let script: String? = {
        let path = Checkout.shared.appending(path: "kafka/kafka").path
        let hasJava = FileManager.default.isExecutableFile(atPath: "/usr/bin/java")
        if FileManager.default.isExecutableFile(atPath: path), hasJava { return path }
        if ProcessInfo.processInfo.environment["CI"] != nil { Issue.record("\(path) or Java is missing") }
        print("skipped: there is no Apache Kafka to start at \(path), or no Java")
        return nil
    }()

    func start(in folder: URL) throws -> RunningBroker {
        switch self {
        case .mock:
            let cluster = try MockCluster(brokers: 1)
            // It has no administration: topics are made at its own door.
            for topic in Topics.onCluster(partitions: 4) + [KafkaTransport.incarnations] {
                cluster.create(topic: topic.name, partitions: topic.partitions)
            }
            return RunningBroker(servers: cluster.servers, mock: cluster)
        case .kafka(let script):
            let kafka = try KeptKafka(script: script, folder: folder.appending(path: "kafka").path)
            return RunningBroker(servers: kafka.servers) { kafka.stop() }
        }
    }
}

/// A broker of a real Kafka. A shell keeps it: when the shell's input ends, as it does however this process ends, it
/// stops the broker.
private final class KeptKafka {
    let servers: String
    private let shell = Process()
    private let input = Pipe()

    private static let commands = """
        trap : INT TERM
        "$1" start "$2" --port "$3" 2>&1 | tail -n 1
        read -r
        "$1" stop "$2" >/dev/null 2>&1
        """

    init(script: String, folder: String) throws {
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = ["-c", Self.commands, "keeper", script, folder, "\(Int.random(in: 210...290) * 100 + 7)"]
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

/// Stopped with the value.
final class RunningBroker {
    let servers: String
    let mock: MockCluster?
    private let stop: () -> Void

    init(servers: String, mock: MockCluster? = nil, stop: @escaping () -> Void = {}) {
        self.servers = servers
        self.mock = mock
        self.stop = stop
    }

    deinit { stop() }
}
