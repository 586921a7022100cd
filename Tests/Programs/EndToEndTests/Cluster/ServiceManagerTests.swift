import ExternalTools
import Foundation
import Testing

/// Notifications to systemd from the roles that it starts.
@Suite("The roles of a cluster notify the service manager", .serialized)
struct ServiceManagerTests {
    @Test("that they are ready when they work, that they live, and that they end")
    func roles() throws {
        let cluster = try TestCluster(.mock)
        try cluster.makeSources(3)
        let sockets = try [false, true, false].map { try NotificationSocket(isAbstract: $0) }
        var said = [[String]](repeating: [], count: sockets.count)
        func hear() { for (index, socket) in sockets.enumerated() { said[index] += socket.received() } }
        func start(_ role: String, _ options: [String], _ index: Int) throws -> Running {
            try cluster.start(
                role, options,
                environment: ["NOTIFY_SOCKET": sockets[index].name, "WATCHDOG_USEC": "200000"])
        }
        let worker = try start("worker", ["-j", "2", "--null-renderer"], 0)
        let roles = try [worker, start("coordinator", [], 1), start("catalogue", [], 2)]
        let areReady = cluster.wait {
            hear()
            return said.allSatisfy { $0.contains("READY=1") }
        }
        #expect(areReady, "\(said)")
        for (index, role) in roles.enumerated() {
            let beforeReady = said[index].prefix { $0 != "READY=1" }
            #expect(beforeReady.first == "STATUS=starting", "\(beforeReady)")
            #expect(said[index].count { $0 == "READY=1" } == 1, "\(role.errorsSoFar)")
        }
        #expect(try cluster.run("submit", ["archive/shoot", "--wait"]).status == 0)
        said = said.map { _ in [] }
        let live = cluster.wait {
            hear()
            return said.allSatisfy { $0.count { $0 == "WATCHDOG=1" } > 2 }
        }
        #expect(live, "\(said)")
        said = said.map { _ in [] }
        for role in roles { role.send(SIGTERM) }
        for role in roles { #expect(role.wait(seconds: 60).status == 0) }
        hear()
        for words in said { #expect(words.contains("STOPPING=1"), "\(words)") }
    }

    @Test("that a role without Kafka makes progress and is not ready, with the cause")
    func withoutKafka() throws {
        let socket = try NotificationSocket()
        let library = try Workspace().folder.appending(path: "library").path
        let role = try Running(
            ["catalogue", "--broker", "kafka://127.0.0.1:1", "--library", library],
            environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "1000000"])
        var said: [String] = []
        let explains = role.wait {
            said += socket.received()
            return said.contains { $0.hasPrefix("STATUS=connected: Kafka") } && said.contains("WATCHDOG=1")
        }
        #expect(explains, "\(said) \(role.errorsSoFar)")
        #expect(!said.contains("READY=1") && said.contains("EXTEND_TIMEOUT_USEC=60000000"))
        role.send(SIGKILL)
        _ = role.wait()
    }
}
