import BrokerConformance
import Clock
import ExternalTools
import Monitoring
import Synchronization
import Testing

@Suite("Notifications to the service manager", .timeLimit(.minutes(2))) struct ServiceNotifierTests {
    let heartbeat = Heartbeat(limit: .seconds(3600))

    private func manager(_ socket: NotificationSocket, _ others: [String: String] = [:]) throws -> ServiceManager {
        let environment = ["NOTIFY_SOCKET": socket.name].merging(others) { $1 }
        return try #require(ServiceManager(process: 17) { environment[$0] })
    }

    @Test("report that a role is ready, and its state before and after", arguments: [false, true])
    func ready(isAbstract: Bool) async throws {
        let socket = try NotificationSocket(isAbstract: isAbstract)
        let readiness = Readiness([.warm: "the render processes\nare not warm"])
        let notifier = ServiceNotifier(
            try manager(socket, ["WATCHDOG_USEC": "20000"]), readiness: readiness, heartbeat: heartbeat)
        let informing = Task { await notifier.run() }
        defer { informing.cancel() }
        var said: [String] = []
        try await waitUntil("the first words") {
            said += socket.received()
            return !said.isEmpty
        }
        #expect(said.contains("STATUS=warm: the render processes are not warm"))
        #expect(said.contains("EXTEND_TIMEOUT_USEC=60000000"), "it makes progress, and needs its time")
        #expect(!said.contains("READY=1"))
        readiness.setMet(.warm)
        try await waitUntil("READY=1") {
            said += socket.received()
            return said.contains("READY=1") && said.contains("STATUS=ready")
        }
        said = []
        readiness.setUnmet(.connected, "Kafka is out of reach")
        try await waitUntil("signs of life of a role that waits for Kafka") {
            said += socket.received()
            return said.contains("STATUS=connected: Kafka is out of reach") && said.count { $0 == "WATCHDOG=1" } > 3
        }
        #expect(!said.contains("READY=1") && !said.contains { $0.hasPrefix("EXTEND") })
    }

    @Test("stop while one loop of a role hangs")
    func hung() async throws {
        let socket = try NotificationSocket()
        let notifier = ServiceNotifier(
            try manager(socket, ["WATCHDOG_USEC": "20000", "WATCHDOG_PID": "17"]), readiness: Readiness(),
            heartbeat: heartbeat)
        let informing = Task { await notifier.run() }
        defer { informing.cancel() }
        try await waitUntil("a sign of life") { socket.received().contains("WATCHDOG=1") }
        heartbeat.beat("merge", extra: .seconds(-7200))
        var said: [String] = []
        try await waitUntil("the cause") {
            said += socket.received()
            return said.contains { $0.hasPrefix("STATUS=hangs: \"merge\" is 1 h 00 min overdue") }
        }
        _ = socket.received()
        try await Task.sleep(for: .milliseconds(200))
        #expect(socket.received() == [])
        heartbeat.beat("merge")
        try await waitUntil("a sign of life again") { socket.received().contains("WATCHDOG=1") }
    }

    @Test("report that a role is finishing, with keepalives even while its loops are idle")
    func stopping() async throws {
        let socket = try NotificationSocket()
        let notifier = ServiceNotifier(
            try manager(socket, ["WATCHDOG_USEC": "20000"]), readiness: Readiness(), heartbeat: heartbeat)
        heartbeat.beat("merge", extra: .seconds(-7200))
        notifier.stopping()
        #expect(socket.received() == ["STOPPING=1", "STATUS=finishing its current work"])
        let informing = Task { await notifier.run() }
        defer { informing.cancel() }
        try await waitUntil("a sign of life") { socket.received() == ["WATCHDOG=1"] }
    }

    @Test("need a service manager, and a watchdog applies to the process that it names")
    func environment() throws {
        #expect(ServiceManager(environment: { _ in nil }) == nil)
        for name in ["", "/", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 200)] {
            #expect(ServiceManager { $0 == "NOTIFY_SOCKET" ? name : nil } == nil, "\(name)")
        }
        let socket = try NotificationSocket()
        #expect(try manager(socket).watchdog == nil)
        #expect(try manager(socket, ["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "18"]).watchdog == nil)
        #expect(try manager(socket, ["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "17"]).watchdog == .seconds(60))
        #expect(try manager(socket, ["WATCHDOG_USEC": "-5"]).watchdog == nil)
        let gone = try #require(ServiceManager { $0 == "NOTIFY_SOCKET" ? "/nowhere/at/all" : nil })
        #expect(!gone.send(["READY=1"]))
    }
}
