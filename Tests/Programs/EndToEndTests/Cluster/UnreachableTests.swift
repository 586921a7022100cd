import Foundation
import Testing

@Suite("A missing cluster")
struct UnreachableTests {
    private struct Attempt {
        let running: Running
        let servers: String
        /// Seconds for which it tries; nil for a command without that option.
        let patience: Double?
    }

    /// All commands run at the same time, because they mostly wait.
    @Test("is reported soon and by address, whether nothing listens there or the listener never answers")
    func soon() throws {
        let mute = try MuteServer()
        let commands: [([String], patience: Double?)] = [
            (["status"], nil), (["pause"], nil), (["drain", "anybody"], nil), (["dead-letters", "list"], nil),
            (["topics", "check"], nil), (["submit", "archive/shoot", "--patience", "4"], 4),
        ]
        let start = Date.now
        let attempts = try ["127.0.0.1:1", "127.0.0.1:\(mute.port)"].flatMap { servers in
            try commands.map { command, patience in
                let running = try Running(command + ["--broker", "kafka://\(servers)"])
                return Attempt(running: running, servers: servers, patience: patience)
            }
        }
        // More than twice the expected time; a role waits for 30 s.
        let deadline = start + 25
        for attempt in attempts {
            let ended = attempt.running.wait(seconds: max(0, deadline.timeIntervalSinceNow))
            #expect(ended.status == 70, "\(attempt.running.process.arguments ?? []): \(ended.errors)")
            #expect(ended.errors.contains("Kafka does not answer at \(attempt.servers)"), "\(ended.errors)")
        }
    }

    @Test("is tried again for the time of --patience, and the log reports it")
    func patience() throws {
        let start = ContinuousClock.now
        let ended = try Rawmill.run("submit", "archive/shoot", "--patience", "13", "--broker", "kafka://127.0.0.1:1")
        #expect(ContinuousClock.now - start >= .seconds(13))
        #expect(ended.status == 70)
        #expect(ended.errors.contains("event=broker.unavailable"), "\(ended.errors)")
    }
}

/// Listens, so that the kernel accepts connections, and never answers.
private final class MuteServer {
    private let listener: Int32
    let port: UInt16

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(isNamed && listen(listener, 1000) == 0)
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }
}
