import BrokerConformance
import Dispatch
import ExternalTools
import Foundation
import Synchronization

/// Brokers of a real Apache Kafka that this process starts, kills, pauses and stops, with the script
/// `../shared/kafka/kafka`.
///
/// A shell runs the script for each line that it reads. When this process ends for any reason, the shell's input ends.
/// The shell then stops the brokers and removes their folder.
final class RealKafka: Sendable {
    let folder: String
    /// The brokers' listeners without encryption: "host:port[,host:port]".
    let servers: String
    /// The first broker's listener with TLS and SASL.
    let secureServer: String
    let nodes: Int
    private let shell: KafkaShell

    static let userName = "rawmill"
    static let password = "tests-only"

    private static let script = Checkout.shared.appending(path: "kafka/kafka").path

    static func start(nodes: Int) async throws -> RealKafka {
        let folder = FileManager.default.temporaryDirectory.path + "/rawmill-kafka-" + UUID().uuidString
        let port = try freePort(nodes)
        let shell = try KafkaShell([script, folder, "\(nodes)", "\(port)"])
        let servers = try await withDeadline(.seconds(90), "starting \(nodes) brokers") { await shell.reply() }
        guard servers.hasPrefix("127.0.0.1:") else {
            throw ConformanceFailure(description: "the brokers did not start: \(servers)")
        }
        return RealKafka(folder, servers, port, nodes, shell)
    }

    private init(_ folder: String, _ servers: String, _ port: Int, _ nodes: Int, _ shell: KafkaShell) {
        self.folder = folder
        self.servers = servers
        secureServer = "127.0.0.1:\(port + 201)"
        self.nodes = nodes
        self.shell = shell
    }

    /// - Parameters:
    ///   - action: `kill`, `restart`, `pause` or `resume`.
    ///   - node: the broker's number, from 1.
    func perform(_ action: String, _ node: Int) async throws {
        let reply = try await withDeadline(.seconds(180), "\(action) of broker \(node)") { [shell] in
            await shell.run("\(action) \(node)")
        }
        guard reply == "ok" else { throw ConformanceFailure(description: "\(action) of broker \(node): \(reply)") }
    }

    func deleteTopic(_ name: String) async throws {
        let reply = try await withDeadline(.seconds(60), "deleting a topic") { [shell] in
            await shell.run("topic --delete --topic \(name)")
        }
        guard reply == "ok" else { throw ConformanceFailure(description: "the topic \(name) was not deleted") }
    }

    /// Gives the user of the secure listener a password for SCRAM too, which Kafka keeps itself.
    func allowSCRAM() async throws {
        let line =
            "configs --alter --entity-type users --entity-name \(Self.userName) "
            + "--add-config SCRAM-SHA-512=[password=\(Self.password)]"
        let reply = try await withDeadline(.seconds(90), "setting a SCRAM password") { [shell] in await shell.run(line)
        }
        guard reply == "ok" else { throw ConformanceFailure(description: "setting a SCRAM password failed") }
    }

    /// Stops the brokers, and returns when they are gone.
    func stop() async {
        _ = try? await withDeadline(.seconds(60), "stopping the brokers") { [shell] in await shell.end() }
    }

    /// A free port. All other ports that the script derives from it are free, too.
    private static func freePort(_ nodes: Int) throws -> Int {
        for _ in 0..<100 {
            let port = Int.random(in: 21000...24000)
            // The first ports for clients without encryption, for the brokers themselves, and for clients over TLS.
            let firsts: [Int] = [port, port + 101, port + 201]
            let needed = firsts.flatMap { first in first..<first + nodes }
            if needed.allSatisfy(isFree) { return port }
        }
        throw ConformanceFailure(description: "no free ports for \(nodes) brokers")
    }

    private static func isFree(_ port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// The shell that runs the script. It writes one line for each line that it reads.
///
/// `@unchecked Sendable`: the process and its pipes are used on the serial queue only.
private final class KafkaShell: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let queue = DispatchQueue(label: "kafka-shell")

    private static let commands = """
        trap : INT TERM
        "$1" start "$2" --nodes "$3" --port "$4" 2>&1 | tail -n 1
        set -f
        while read -r action arguments; do
            reply=$("$1" "$action" "$2" $arguments 2>&1) && reply=ok
            # A broker that was killed a moment ago may still hold its port and its folder's lock.
            for pause in 1 2 5; do
                [ "$action" = restart ] && [ "$reply" != ok ] || break
                sleep "$pause"
                "$1" kill "$2" $arguments 2>/dev/null || true
                reply=$("$1" restart "$2" $arguments 2>&1) && reply=ok
            done
            echo "$reply" | tail -n 1
        done
        "$1" stop "$2" >/dev/null 2>&1
        rm -rf "$2"
        """

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", Self.commands, "kafka-shell"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    func run(_ line: String) async -> String {
        await onQueue {
            self.input.fileHandleForWriting.write(Data("\(line)\n".utf8))
            return self.readLine()
        }
    }

    func reply() async -> String { await onQueue { self.readLine() } }

    func end() async {
        await onQueue {
            try? self.input.fileHandleForWriting.close()
            self.process.waitUntilExit()
        }
    }

    private func readLine() -> String {
        var line = Data()
        while let byte = try? output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8), !byte.isEmpty {
            line += byte
        }
        return String(decoding: line, as: UTF8.self)
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in queue.async { done.resume(returning: body()) } }
    }
}
