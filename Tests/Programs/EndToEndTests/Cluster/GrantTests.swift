import Broker
import ExternalTools
import Foundation
import KafkaBroker
import Testing

extension ClusterTests {
    /// A cluster whose Kafka has an authorizer that allows each role exactly the output of `rawmill topics grants`.
    @Suite struct GrantTests {
        @Test(
            "Every role and command works with its grants, and a missing grant is named", .night,
            .needs(.kafka))
        func grants() async throws {
            let cluster = try GuardedCluster()
            let granted = try Rawmill.run("topics", "grants")
            #expect(granted.status == 0)
            for line in granted.lines { try cluster.grant(line) }
            #expect(try cluster.run("setup", "topics", "create", "--partitions", "4").status == 0)
            #expect([0, 3].contains(try cluster.run("setup", "topics", "check", "--partitions", "4").status))
            let roles = try [
                cluster.start("coordinator", "coordinator", "--listen", "127.0.0.1:0"),
                cluster.start("catalogue", "catalogue"),
                cluster.start("worker", "worker", "--null-renderer", "--name", "allowed", "-j", "2"),
            ]
            try await cluster.sendNoise()
            for command in [
                ["submit", "archive/shoot", "--wait"], ["status"], ["pause"], ["resume"], ["dead-letters", "list"],
                ["dead-letters", "redrive", "--all"], ["drain", "allowed", "--wait"],
            ] {
                let ended = try cluster.run("people", command)
                #expect(ended.status == 0, "\(command): \(ended.output) \(ended.errors)")
            }
            let refused = try cluster.run("people", ["topics", "trim", "--keep", "1", "--yes"])
            let delete = "does not allow this user Delete on the topic rawmill."
            #expect(refused.status == 70 && refused.errors.contains(delete), "\(refused.output) \(refused.errors)")
            let trim = ["topics", "trim", "--keep", "1", "--library", cluster.library, "--yes"]
            let trimmed = try cluster.run("setup", trim)
            #expect(trimmed.status == 0 && trimmed.output.contains("Deleted "), "\(trimmed.output) \(trimmed.errors)")
            #expect(!trimmed.output.contains("Deleted 0"))
            #expect(roles[2].wait(seconds: 60).status == 0)
            for role in roles[..<2] { role.send(SIGTERM) }
            for role in roles {
                let said = role.wait(seconds: 60)
                #expect(said.status == 0 && !said.errors.contains("does not allow"), "\(said.errors.suffix(3000))")
            }
            try lack(cluster)
        }

        @Test("The documentation's table of rights equals the output of `rawmill topics grants`")
        func documented() throws {
            let lines = try Rawmill.run("topics", "grants").lines
            let page = "Sources/Programs/rawmill/Documentation.docc/Guide/Cluster.md"
            let rows = try String(contentsOf: Checkout.folder.appending(path: page), encoding: .utf8)
                .split(separator: "\n")
            for role in ["setup", "coordinator", "catalogue", "worker", "people"] {
                let row = try #require(rows.first { $0.hasPrefix("| `\(role)`") }, "\(role)")
                let columns = row.split(separator: "|", omittingEmptySubsequences: false)
                for (column, operation) in [(2, "Read"), (3, "Write")] {
                    let granted = lines.filter {
                        $0.hasPrefix("--allow-principal User:rawmill-\(role) --operation \(operation) --topic")
                    }
                    .flatMap { $0.split(separator: " ") }.filter { $0.hasPrefix("rawmill.") }
                    .map { String($0.dropFirst("rawmill.".count)) }
                    let written = columns[column].matches(of: /`([^`]+)`/).map { String($0.1) }
                    #expect(Set(written) == Set(granted) && !granted.isEmpty, "\(role): \(operation)")
                }
            }
        }

        /// Roles with another role's user.
        private func lack(_ cluster: GuardedCluster) throws {
            let worker = try cluster.start("catalogue", "worker", "--null-renderer", "--name", "refused")
            let group = "does not allow this user Read on the group rawmill.jobs."
            #expect(worker.wait(for: group), "\(worker.errorsSoFar.suffix(3000))")
            let coordinator = try cluster.start("people", "coordinator")
            let topic = "does not allow this user Read on the topic rawmill."
            #expect(coordinator.wait(for: topic), "\(coordinator.errorsSoFar.suffix(3000))")
            coordinator.send(SIGKILL)
            _ = coordinator.wait(seconds: 60)
            try cluster.grant(
                "--deny-principal User:rawmill-coordinator --operation Read --topic \(Topics.deadLetter)")
            let blind = try cluster.start("coordinator", "coordinator")
            let letters = "does not allow this user Read on the topic \(Topics.deadLetter)"
            #expect(blind.wait(for: letters), "\(blind.errorsSoFar.suffix(3000))")
            let pause = try cluster.run("worker", "pause")
            let control = "does not allow this user Write on the topic rawmill.control"
            #expect(pause.status == 70 && pause.errors.contains(control), "\(pause.errors)")
            #expect(pause.errors.contains("rawmill topics grants"))
        }
    }
}

/// A Kafka with an authorizer and a user for each role, and the folders of a cluster. The test itself has all rights,
/// at the brokers' plain address.
private final class GuardedCluster {
    private let workspace: Workspace
    private let shell = Process()
    private let input = Pipe()
    private let plain: String
    private let secure: String
    private var processes: [Running] = []

    private var folder: String { workspace.folder.path }

    /// A shell supervises the broker, as in other tests: it stops it when its input ends.
    private static let commands = """
        trap : INT TERM
        "$1" start "$2" --port "$3" >/dev/null 2>&1
        "$1" stop "$2" >/dev/null 2>&1
        sed -i "s/^\\(listener.name.secure.plain.sasl.jaas.config=.* required\\) .*/\\1 $4;/" "$2/node-1.properties"
        cat >>"$2/node-1.properties" <<'PROPERTIES'
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:ANONYMOUS
        PROPERTIES
        "$1" start "$2" 2>&1 | tail -n 1
        read -r
        "$1" stop "$2" >/dev/null 2>&1
        """

    init() throws {
        workspace = try Workspace()
        let folder = workspace.folder
        for name in ["archive/shoot", "library"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        for number in 0..<40 {
            try Data("\(number)".utf8).write(to: folder.appending(path: "archive/shoot/IMG_\(number).CR2"))
        }
        let password = folder.appending(path: "password")
        try Data("tests-only".utf8).write(to: password)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: password.path)
        let port = Int.random(in: 110...190) * 100 + 7
        let names = ["setup", "coordinator", "catalogue", "worker", "people"]
        let users = names.map { "user_rawmill-\($0)=\"tests-only\"" }
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = [
            "-c", Self.commands, "supervisor", ClusterBroker.kafkaScript, folder.appending(path: "kafka").path,
            "\(port)", users.joined(separator: " "),
        ]
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
        secure = "127.0.0.1:\(port + 201)"
        try #require(plain == "127.0.0.1:\(port)", "\(plain)")
    }

    deinit {
        for process in processes where process.isRunning { process.send(SIGKILL) }
        for process in processes { _ = process.wait() }
        try? input.fileHandleForWriting.close()
        shell.waitUntilExit()
    }

    var library: String { "\(folder)/library" }

    /// Adds a line of `rawmill topics grants`, with Kafka's own program.
    func grant(_ line: String) throws {
        let libraries = Checkout.shared.appending(path: "kafka/lib").path
        let java = [
            "-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", "\(libraries)/*",
            "org.apache.kafka.tools.AclCommand", "--bootstrap-server", plain, "--add",
        ]
        let said = try ExternalTool.run("java", java + line.split(separator: " ").map(String.init))
        #expect(said.contains("Adding ACLs for resource"), "\(line): \(said)")
    }

    /// A record that is not a job, from another program.
    func sendNoise() async throws {
        let transport = try KafkaTransport(KafkaSettings(KafkaAddress("kafka://\(plain)")))
        let producer = try await transport.producer()
        _ = try await producer.send([Record(key: [1], value: Array("noise".utf8))], to: Topics.bulkJobs)
        await transport.close()
    }

    private func connection(_ user: String) -> [String] {
        let properties = [
            "security.protocol=sasl_ssl", "ssl.ca.location=\(folder)/kafka/ca.pem", "sasl.mechanism=PLAIN",
            "sasl.username=rawmill-\(user)", "sasl.password.file=\(folder)/password",
        ]
        return ["--broker", "kafka://\(secure)"] + properties.flatMap { ["--kafka-property", $0] }
    }

    /// Starts a role with a user's rights.
    func start(_ user: String, _ role: String, _ options: String...) throws -> Running {
        let roots = ["--root", "archive=\(folder)/archive", "--root", "library=\(library)"]
        let folders = role == "catalogue" ? ["--library", library] : roots
        let running = try Running([role] + connection(user) + folders + options)
        processes.append(running)
        return running
    }

    func run(_ user: String, _ command: String...) throws -> Rawmill.Ended { try run(user, command) }

    /// Runs a command with a user's rights.
    func run(_ user: String, _ command: [String]) throws -> Rawmill.Ended {
        try Rawmill.run(command + connection(user))
    }
}
