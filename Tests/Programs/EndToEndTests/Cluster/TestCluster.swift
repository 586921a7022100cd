import Broker
import Foundation
import KafkaBroker
import MockKafka
import Testing

/// A cluster on this machine for one test: its brokers, folders and processes, which end with it.
final class TestCluster {
    private let workspace: Workspace
    let folder: URL
    private var broker: RunningBroker
    private var processes: [Running] = []

    init(_ kind: ClusterBroker) throws {
        workspace = try Workspace()
        folder = workspace.folder
        broker = try kind.start(in: folder)
        for name in ["archive/shoot", "library"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        if broker.mock == nil {
            let made = try run("topics", ["create", "--partitions", "4"])
            try #require(made.status == 0, "\(made.errors)")
        }
    }

    deinit {
        for process in processes where process.isRunning { process.send(SIGKILL) }
        for process in processes { _ = process.wait() }
    }

    var servers: String { broker.servers }

    var library: URL { folder.appending(path: "library") }

    var shownPhotos: [String] { workspace.files(below: library.appending(path: "photos")) }

    /// Whether a coordinator or cataloguer has given the library its identity.
    var hasIdentity: Bool { FileManager.default.fileExists(atPath: library.path + "/.rawmill/library.id") }

    /// Whether the cataloguer has created the library's tables, so that others can read them.
    var hasTables: Bool {
        (try? Rawmill.run("library", "list", "--library", library.path).status) == 0
    }

    /// Removes everything from the archive, like a mount that disappears.
    ///
    /// - Returns: its new place.
    func hideArchive() throws -> URL {
        let hidden = folder.appending(path: "hidden-archive")
        try FileManager.default.createDirectory(at: hidden, withIntermediateDirectories: true)
        try moveAll(from: folder.appending(path: "archive"), to: hidden)
        return hidden
    }

    func showArchive(_ hidden: URL) throws { try moveAll(from: hidden, to: folder.appending(path: "archive")) }

    private func moveAll(from source: URL, to target: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
            try FileManager.default.moveItem(at: source.appending(path: name), to: target.appending(path: name))
        }
    }

    /// Creates the topics of another cluster on a mock broker.
    func makeTopics(named name: String) throws {
        let (mock, name) = (try #require(broker.mock), try #require(ClusterName(name)))
        for topic in Topics.cluster(partitions: 4) + [KafkaTransport.incarnationTopic] {
            mock.create(topic: name.external(topic.name), partitions: topic.partitions)
        }
    }

    /// Files that are RAWs only by name: enough for the null renderer.
    ///
    /// - Parameter megabytes: sparse size of each source, which a worker must read and hash.
    func makeSources(_ count: Int, in name: String = "shoot", megabytes: Int = 0) throws {
        let sources = folder.appending(path: "archive/\(name)")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        for number in 0..<count {
            let source = sources.appending(path: "IMG_\(number).CR2")
            try Data("\(name) \(number)".utf8).write(to: source)
            if megabytes > 0 { #expect(truncate(source.path, megabytes << 20) == 0) }
        }
    }

    /// Replaces the brokers with others that know nothing of the first.
    func replaceBroker(_ kind: ClusterBroker) throws { broker = try kind.start(in: folder) }

    /// Ends the brokers; no process listens at their addresses afterwards.
    func loseBroker() { broker = RunningBroker(servers: broker.servers) }

    /// Deletes a real Kafka with everything in it, and starts it at the same address, empty.
    func rebuildKafka() throws {
        let port = try #require(servers.split(separator: ":").last.flatMap { Int($0) })
        broker.end()
        try FileManager.default.removeItem(at: folder.appending(path: "kafka"))
        broker = try ClusterBroker.kafka.start(in: folder, port: port)
    }

    /// Deletes a topic of a real Kafka with everything in it, and recreates it.
    func recreate(topic: String) throws {
        let tool = Process()
        tool.executableURL = URL(fileURLWithPath: ClusterBroker.kafkaScript)
        tool.arguments = ["topic", folder.appending(path: "kafka").path, "--delete", "--topic", topic]
        try tool.run()
        tool.waitUntilExit()
        try #require(tool.terminationStatus == 0)
        let made = try run("topics", ["create", "--partitions", "4"])
        try #require(made.status == 0, "\(made.errors)")
    }

    /// Submits an order.
    ///
    /// - Returns: the id of its batch.
    @discardableResult
    func submit(_ source: String, _ options: [String] = []) throws -> String {
        let ended = try run("submit", [source, "--json"] + options)
        return try #require(ended.field("batch") as? String, "\(ended.errors)")
    }

    /// A member without a heartbeat for this long is removed from its group. Short sessions make the mock cluster fast:
    /// its rebalances last as long as a session.
    static let sessionSeconds = 6.0

    private static let properties = [
        ("session.timeout.ms", "\(Int(sessionSeconds * 1000))"), ("heartbeat.interval.ms", "500"),
        ("fetch.wait.max.ms", "10"),
    ]

    private var connection: [String] {
        let properties = Self.properties.flatMap { ["--kafka-property", "\($0)=\($1)"] }
        return ["--broker", "kafka://\(broker.servers)"] + properties
    }

    /// A connection to the brokers for the test itself.
    func transport() throws -> KafkaTransport {
        var properties = KafkaProperties()
        for (name, value) in Self.properties { try properties.set(name, to: value, from: .settingsFile) }
        return try KafkaTransport(KafkaSettings(KafkaAddress("kafka://\(broker.servers)"), properties: properties))
    }

    /// Starts a role, which runs until the test ends it.
    ///
    /// - Parameters:
    ///   - path: the role's path of the library; nil for its own path.
    ///   - archive: the role's path of the archive; nil for its own path.
    ///   - user: user of the role; nil for the tests' user.
    func start(
        _ role: String, _ options: [String] = [], library path: String? = nil, archive: String? = nil,
        environment: [String: String] = [:], as user: OtherUser? = nil
    ) throws -> Running {
        let path = path ?? library.path
        let roots = ["--root", "archive=\(archive ?? "\(folder.path)/archive")", "--root", "library=\(path)"]
        let folders = role == "catalogue" ? ["--library", path] : roots
        let running = try Running([role] + connection + folders + options, environment: environment, as: user)
        processes.append(running)
        return running
    }

    func begin(_ command: String, _ options: [String]) throws -> Running {
        let running = try Running([command] + options + connection)
        processes.append(running)
        return running
    }

    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - connects: false for a command without a broker.
    ///   - input: a file for its standard input; nil for none.
    @discardableResult
    func run(
        _ command: String, _ options: [String] = [], connects: Bool = true, input: URL? = nil
    ) throws -> Rawmill.Ended {
        try Running([command] + options + (connects ? connection : []), input: input).wait()
    }

    /// Waits until the condition holds; false if it never did. The time limit is for hangs, and long enough for a busy
    /// machine.
    func wait(seconds: Double = 180, until condition: () throws -> Bool) rethrows -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            if try condition() { return true }
            usleep(10_000)
        }
        return false
    }

    /// Waits until `rawmill status` shows this state of a batch.
    func waitForStatus(_ batch: String, until condition: ([String: Any]) -> Bool) throws -> Bool {
        try wait(for: "batch", batch, until: condition)
    }

    /// Waits until `rawmill status` shows this state of a worker.
    func waitForWorker(_ name: String, until condition: ([String: Any]) -> Bool) throws -> Bool {
        try wait(for: "worker", name, until: condition)
    }

    private func wait(for event: String, _ name: String, until condition: ([String: Any]) -> Bool) throws -> Bool {
        try wait {
            let ended = try run("status", ["--json"])
            guard ended.status == 0 else { return false }
            return try ended.events(event).contains { $0[event] as? String == name && condition($0) }
        }
    }
}

extension Running {
    /// Waits until its log contains the text.
    func wait(for text: String, seconds: Double = 180) -> Bool { wait(seconds: seconds) { errorsSoFar.contains(text) } }

    /// Waits for its end, and kills it after the time.
    func wait(seconds: Double) -> Rawmill.Ended {
        let end = Date().addingTimeInterval(seconds)
        while isRunning, Date() < end { usleep(10_000) }
        if isRunning { send(SIGKILL) }
        return wait()
    }
}

extension Rawmill.Ended {
    /// A number of the last event.
    func last(_ name: String) throws -> Int? { try events.last?[name] as? Int }

    /// A field of the first event.
    func field(_ name: String) -> Any? { (try? events.first)??[name] }
}
