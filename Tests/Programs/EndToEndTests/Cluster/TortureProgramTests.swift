import Broker
import ExternalTools
import Foundation
import KafkaBroker
import Testing

/// Short runs of `rawmill torture`. Torture.md has the results of long ones.
@Suite("The torture program", .serialized)
struct TortureProgramTests {
    private func begin(
        _ scenario: String, _ options: [String], environment: [String: String] = [:]
    ) throws -> Running {
        let seed = UInt32.random(in: 0 ... .max)
        print("torture \(scenario): seed \(seed)")
        let arguments = ["torture", "--scenario", scenario, "--seed", "\(seed)"] + options
        return try Running(arguments, environment: environment)
    }

    @Test("touches nothing of the cluster that the environment and a settings file configure")
    func isolated() async throws {
        let live = try TestCluster(.mock)
        let settings = live.folder.appending(path: "rawmill.yaml")
        try Data("broker: kafka://\(live.servers)\ncluster-name: rawmill\n".utf8).write(to: settings)
        let environment = [
            "RAWMILL_BROKER": "kafka://\(live.servers)", "RAWMILL_SETTINGS": settings.path,
            "RAWMILL_ROOT": "archive=\(live.folder.path)/archive;library=\(live.library.path)",
            "RAWMILL_LIBRARY": live.library.path, "RAWMILL_STATE": live.folder.path, "RAWMILL_NAME": "somebody",
            "RAWMILL_KAFKA_SASL_PASSWORD": "secret", "RAWMILL_KAFKA_GROUP_ID": "live", "RAWMILL_LOG_FORMAT": "json",
            "RAWMILL_CLUSTER_NAME": "live", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
        ]
        let ended = try begin("kill", ["--jobs", "40", "--harms", "2"], environment: environment).wait()
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        for topic in Topics.cluster() + [KafkaTransport.incarnationTopic] {
            let ranges = try await live.transport().watermarks(topic: topic.name)
            #expect(ranges.values.allSatisfy { $0.upperBound == 0 }, "\(topic.name)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: live.library.path).isEmpty)
        let refused = try begin("kill", ["--broker", "kafka://\(live.servers)"]).wait()
        #expect(refused.status == 64, "\(refused.errors)")
    }

    @Test(
        "finds nothing lost, with any harm to roles and records, and only poison fails", .night,
        .disabled(if: canRebuildKafka, "the same runs are made over a real Kafka"))
    func everything() throws { try runAll(overKafka: false) }

    private static var canRebuildKafka: Bool {
        Requirement.kafka.obstacle == nil && KafkaLibrary.survivesRecreatedTopics
    }

    @Test(
        "finds nothing lost, with any harm to roles, records and a real Kafka", .night, .needs(.kafka),
        .enabled(
            if: KafkaLibrary.survivesRecreatedTopics,
            "librdkafka \(KafkaLibrary.version) may crash when a topic is deleted and created again"))
    func everythingOverKafka() throws { try runAll(overKafka: true) }

    /// The runs are concurrent: they mostly wait for sessions to end and brokers to return. The one of poison also
    /// tests the table of seeds.
    private func runAll(overKafka: Bool) throws {
        let poison = try Running(["torture", "--scenario", "poison", "--seeds", "1-1", "--jobs", "60"])
        let options = ["--jobs", "200", "--harms", "6", "--patience", "200"]
        var runs = try ["kill", "malformed", "errors", "mounts", "strangers", "faults"].map { try begin($0, options) }
        // These delete topics.
        if overKafka, KafkaLibrary.survivesRecreatedTopics {
            let kafka = ["--kafka-command", ClusterBroker.kafkaScript]
            runs.append(try begin("all", options + kafka))
            runs.append(try begin("rebuild", ["--jobs", "200", "--harms", "3", "--patience", "200"] + kafka))
        }
        for run in runs { expectAllHeld(run.wait()) }
        let ended = poison.wait()
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        #expect(ended.output.contains("| poison, 1 seeds | 60 |") && ended.output.contains("| 1 of 1 runs |"))
    }

    @Test(
        "finds users' files untouched, RAWs at several paths moved completely, and an export's photos there once",
        .night)
    func people() throws {
        let options = ["--harms", "5", "--megapixels", "0.05", "--patience", "200", "--jobs"]
        let runs = [
            try begin("people", options + ["100"]), try begin("duplicates", options + ["60"]),
            try begin("export", options + ["30"]),
        ]
        for run in runs {
            let ended = run.wait()
            #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
            #expect(ended.output.contains("I11 people's files"))
        }
    }

    private func expectAllHeld(_ ended: Rawmill.Ended) {
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        #expect(ended.output.contains("200 accepted = "))
        #expect(ended.output.contains("I11 people's files"))
        #expect(ended.output.contains("I12 catalogued is in the library"))
    }

    @Test("names the broken promise and each reader's progress: here, of a run without time to finish")
    func broken() throws {
        let workspace = try Workspace()
        let folder = workspace.folder.appending(path: "torture").path
        let options = ["--jobs", "5000", "--harms", "1", "--patience", "1", "--folder", folder]
        let ended = try begin("kill", options).wait()
        #expect(ended.status == 3, "\(ended.output) \(ended.errors)")
        #expect(ended.output.contains("BROKEN  I6") && ended.output.contains("BROKEN  I1"))
        let diagnosis = try String(contentsOfFile: folder + "/diagnosis.txt", encoding: .utf8)
        for text in ["orders are known", "rawmill.control: the coordinator behind in", "worker-3, started"] {
            #expect(ended.output.contains(text) && diagnosis.contains(text))
        }
    }

    @Test("is found beside rawmill; where it is not installed, the error names the places and the remedy")
    func notInstalled() throws {
        let workspace = try Workspace()
        let bin = workspace.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let alone = bin.appending(path: "rawmill")
        try FileManager.default.copyItem(at: Rawmill.program, to: alone)
        let output = try ExternalTool.run("sh", ["-c", #""$0" torture --jobs 10; echo $?"#, alone.path])
        #expect(output.contains("\(bin.path)/rawmill-torture") && output.contains("Deploy/build"), "\(output)")
        #expect(output.hasSuffix("\n64\n"), "\(output)")
        let help = try Rawmill.run("torture", "--help")
        #expect(help.status == 0 && help.output.contains("--scenario"), "\(help.errors)")
    }

    @Test("ends the cluster it started when it is interrupted")
    func interrupted() throws {
        let ended = try interrupt(by: SIGINT)
        #expect(ended.status == 130, "\(ended.output) \(ended.errors)")
        #expect(ended.errors.contains("Interrupted."))
    }

    @Test("ends the cluster it started when it is killed")
    func killed() throws {
        #expect(try interrupt(by: SIGKILL).status == -SIGKILL)
    }

    /// Sends the signal to a working run, which must leave nothing of its cluster.
    private func interrupt(by signal: Int32) throws -> Rawmill.Ended {
        let workspace = try Workspace()
        let folder = workspace.folder.appending(path: "torture").path
        let run = try begin("kill", ["--jobs", "2000", "--harms", "1000", "--folder", folder])
        #expect(run.wait { run.outputSoFar.contains("kill: ") })
        // At least the program itself and the roles.
        let processes = ProcessTree.naming(folder)
        #expect(processes.count > 2)
        run.send(signal)
        let ended = run.wait()
        #expect(ProcessTree.areGone(ProcessTree.naming(folder) + processes, within: 120))
        return ended
    }
}
