import BrokerConformance
import Clock
import Coordinator
import ExternalTools
import Foundation
import Jobs
import Manifests
import Metrics
import Monitoring
import Storage
import Synchronization
import Testing
import Web
import WebClient
import Worker

@Suite("Metrics and readiness", .serialized, .timeLimit(.minutes(5))) struct MonitoringTests {
    @Test("Every role's metrics match the photos of a run")
    func run() async throws {
        let cluster = try await ClusterFixture()
        let renderer = try cluster.renderer()
        let rendering = Mutex<[UInt64]>([])
        let looking = Task {
            while !Task.isCancelled {
                let memory = renderer.snapshot.memory.residentBySlot
                if memory.allSatisfy({ $0 > 1 << 20 }) { rendering.withLock { $0 = memory } }
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
        defer { looking.cancel() }
        let address = try #require(ListenAddress("127.0.0.1:0"))
        _ = ProcessMonitor(cluster.worker.registry, role: "worker", version: "1", engine: 1)
        let server = try HealthServer(
            address, registry: cluster.worker.registry, readiness: cluster.worker.readiness,
            refresh: { cluster.worker.refresh(renderer.snapshot) })
        defer { server.stop() }
        #expect(Client.get("/readyz", port: server.port)?.status == 503)
        let coordinatorLines = [
            "rawmill_coordinator_jobs_accepted_total 5", "rawmill_ledger_jobs{state=\"accepted\"} 5",
            "rawmill_ledger_jobs{state=\"open\"} 0", "rawmill_oldest_pending_seconds 0",
            "rawmill_coordinator_jobs_ended_total{outcome=\"catalogued\"} 4",
            "rawmill_consumer_lag{topic=\"rawmill.jobs.bulk\",partition=\"0\"} 0",
        ]
        let catalogueLines = [
            "rawmill_catalogue_manifests_total 5", "rawmill_catalogue_renditions_total{change=\"added\"} 4",
            "rawmill_catalogue_lag{partition=\"0\"} 0",
        ]
        try await cluster.run(worker: renderer, ledger: try await Ledger.open(library: cluster.folder + "/library")) {
            cluster.coordinator.registry.has(coordinatorLines) && cluster.catalogue.registry.has(catalogueLines)
        }

        let worker = try #require(Client.get("/metrics", port: server.port)).body
        for line in [
            "rawmill_jobs_total{outcome=\"completed\"} 4", "rawmill_jobs_total{outcome=\"failed\"} 1",
            "rawmill_job_duration_seconds_count 5", "rawmill_slots 2", "rawmill_jobs_in_flight 0",
            "rawmill_stage_duration_seconds_count{stage=\"decode\"} 4",
        ] { #expect(worker.contains("\n\(line)\n"), "\(line) in \(worker)") }
        #expect(worker.contains("rawmill_job_failures_total{reason="))
        // Its render processes have ended with it.
        for line in ["rawmill_render_memory_bytes{slot=\"1\"} 0", "rawmill_render_memory_limit_bytes "] {
            #expect(worker.contains("\n\(line)"), "\(line) in \(worker)")
        }
        let memory = rendering.withLock { $0 }
        #expect(memory.count == 2, "both had megabytes while they rendered")
        let coordinator = String(decoding: cluster.coordinator.registry.text, as: UTF8.self)
        for line in coordinatorLines { #expect(coordinator.contains("\n\(line)\n"), "\(line) in \(coordinator)") }
        let catalogue = String(decoding: cluster.catalogue.registry.text, as: UTF8.self)
        for line in catalogueLines { #expect(catalogue.contains("\n\(line)\n"), "\(line) in \(catalogue)") }
        #expect(Client.get("/readyz", port: server.port)?.body == "ready\n")
    }

    @Test("promtool accepts the metrics of every role", .needs(.program("promtool")))
    func format() throws {
        let registries = (0..<3).map { _ in MetricRegistry() }
        let worker = WorkerMonitor(registries[0])
        worker.record(.ready(slots: 2))
        worker.record(.paused(.failures(50, last: .init(.corrupt, "It is cut short."))))
        _ = CoordinatorMonitor(registries[1])
        _ = CatalogueMonitor(registries[2])
        for (registry, role) in zip(registries, ["worker", "coordinator", "catalogue"]) {
            ProcessMonitor(registry, role: role, version: "1", engine: 1).refresh()
            _ = GroupMonitor(registry, groups: ["group"])
            ConnectionMonitor(registry, readiness: Readiness()).update(
                from: ConnectionFigures(
                    sent: 1, unsent: 0, recreations: 0,
                    members: [
                        .init(group: "group", partitions: 1, inFlight: 2, recreations: 0, isConnected: true)
                    ]))
            #expect(try complaints(about: registry.text) == "", "\(role)")
        }
    }

    @Test("A role is ready when no condition is unmet, and alive in any case")
    func readiness() throws {
        let readiness = Readiness([.warm: "cold", .assigned: "alone"])
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let server = try HealthServer(address, registry: MetricRegistry(), readiness: readiness)
        defer { server.stop() }
        #expect(try #require(Client.get("/readyz", port: server.port)) == (503, "assigned: alone\nwarm: cold\n"))
        #expect(try #require(Client.get("/healthz", port: server.port)) == (200, "alive\n"))
        let stranger = "GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
        let refused = try #require(Client.talk(Array(stranger.utf8), port: server.port))
        #expect(refused.starts(with: "HTTP/1.1 421".utf8))
        readiness.setMet(.warm)
        readiness.setMet(.assigned)
        #expect(try #require(Client.get("/readyz", port: server.port)) == (200, "ready\n"))
        #expect(Client.get("/else", port: server.port)?.status == 404)
    }

    @Test("A process without running loops is not alive")
    func heartbeat() async throws {
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let server = try HealthServer(
            address, registry: MetricRegistry(), readiness: Readiness(), heartbeat: Heartbeat(limit: .zero))
        defer { server.stop() }
        try await waitUntil("the first beat to be too old") { Client.get("/healthz", port: server.port)?.status == 503 }
        #expect(Client.get("/healthz", port: server.port)?.body.hasPrefix("hangs: \"tasks\" is") == true)
    }

    @Test("A folder's free space is that of its file system, and a missing folder has none")
    func disks() async throws {
        let registry = MetricRegistry()
        let folder = FileManager.default.temporaryDirectory.path
        let monitor = DiskMonitor(registry, folders: ["library": folder, "state": "/not/there"])
        let watching = Task { await monitor.watch() }
        defer { watching.cancel() }
        try await waitUntil("the first look") { registry.has(prefix: "rawmill_disk_free_bytes{folder=\"library\"} ") }
        let size = try FileSystemFacts(folder: Array(folder.utf8)).totalBytes
        #expect(registry.value(of: "rawmill_disk_size_bytes{folder=\"library\"} ") == Double(size))
        #expect(!registry.has(prefix: "rawmill_disk_free_bytes{folder=\"state\"}"))
    }

    @Test("A role is not ready while one of its folders is missing, emptied, or of another library, and names it")
    func folders() async throws {
        let top = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID())")
        defer { try? FileManager.default.removeItem(at: top) }
        let files = FileManager.default
        let (archive, library) = (top.appending(path: "archive"), top.appending(path: "library"))
        let away = top.appending(path: "away")
        try files.createDirectory(at: archive.appending(path: "2019"), withIntermediateDirectories: true)
        let identity = try Root(path: library.path, creating: true).makeIdentity(
            at: Array(LibraryLayout.identity.utf8))
        let readiness = Readiness()
        let monitor = FolderMonitor(["archive": archive.path, "library": library.path], readiness: readiness)
        await monitor.look()
        #expect(readiness.problems.isEmpty)

        try files.moveItem(at: archive, to: away)
        await monitor.look()
        #expect(try #require(readiness.problems.first).hasPrefix("storage: archive, \(archive.path), cannot be read"))
        try files.createDirectory(at: archive, withIntermediateDirectories: true)
        await monitor.look()
        let empty = "storage: archive, \(archive.path), is empty, but was not before. Is the storage mounted here?"
        #expect(readiness.problems == [empty])
        try files.removeItem(at: archive)
        try files.moveItem(at: away, to: archive)
        await monitor.look()
        #expect(readiness.problems.isEmpty)

        try files.moveItem(at: library, to: away)
        let other = try Root(path: library.path, creating: true).makeIdentity(at: Array(LibraryLayout.identity.utf8))
        #expect(other != identity)
        await monitor.look()
        #expect(try #require(readiness.problems.first).contains("contains a different library than before"))
    }

    @Test("A worker is ready while each of its groups has assigned its share")
    func assigned() {
        let readiness = Readiness()
        let monitor = GroupMonitor(MetricRegistry(), groups: ["a", "b"], readiness: readiness)
        monitor.assigned(group: "a")
        #expect(readiness.problems == ["assigned: has not joined its groups yet"])
        monitor.assigned(group: "b")
        #expect(readiness.problems.isEmpty)
        monitor.revoked(group: "a", lost: true)
        monitor.revoked(group: "other", lost: true)
        #expect(readiness.problems == ["assigned: its group considered it dead and reassigned its partitions"])
        monitor.assigned(group: "a")
        #expect(readiness.problems.isEmpty)
    }

    @Test("A breaker and lost storage make a worker not ready, with the reason, until it resumes")
    func pauses() {
        let monitor = WorkerMonitor(MetricRegistry())
        monitor.record(.ready(slots: 2))
        #expect(monitor.readiness.problems.isEmpty)
        monitor.record(.paused(.storage(.init(.storageUnavailable, "The disk is gone."))))
        #expect(monitor.readiness.problems == ["working: The disk is gone."])
        monitor.record(.resumed)
        #expect(monitor.readiness.problems.isEmpty)
        monitor.record(.paused(.failures(50, last: .init(.corrupt, "It is cut short."))))
        #expect(
            monitor.readiness.problems == ["working: paused after 50 failures in a row, the last: It is cut short."])
    }

    /// promtool's complaints about metrics, with "!" for a failure; empty if it accepts them.
    private func complaints(about metrics: [UInt8]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/promtool")
        process.arguments = ["check", "metrics"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(metrics))
        try input.fileHandleForWriting.close()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 && printed.isEmpty ? "" : String(decoding: printed, as: UTF8.self) + "!"
    }
}

extension MetricRegistry {
    fileprivate func has(prefix: String) -> Bool { String(decoding: text, as: UTF8.self).contains("\n\(prefix)") }

    fileprivate func value(of metric: String) -> Double? {
        let text = String(decoding: text, as: UTF8.self)
        return text.split(separator: "\n").first { $0.hasPrefix(metric) }.flatMap { Double($0.dropFirst(metric.count)) }
    }

    fileprivate func has(_ lines: [String]) -> Bool {
        let text = String(decoding: text, as: UTF8.self)
        return lines.allSatisfy { text.contains("\n\($0)\n") }
    }
}
