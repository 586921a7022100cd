import Coordinator
import Foundation
import Jobs
import Metrics
import Monitoring
import Testing
import Web
import WebClient
import Worker

@Suite(.serialized, .timeLimit(.minutes(2))) struct MonitoringTests {
    @Test("A run's figures are those of its photos, on every role's page, and promtool finds nothing wrong")
    func run() async throws {
        let plant = try await ClusterFixture()
        let renderer = try plant.renderer()
        let address = try #require(ListenAddress("127.0.0.1:0"))
        _ = ProcessMonitor(plant.worker.registry, role: "worker", version: "1", engine: 1)
        let window = try HealthServer(
            address, registry: plant.worker.registry, readiness: plant.worker.readiness,
            refresh: { plant.worker.refresh(renderer.snapshot) })
        defer { window.stop() }
        #expect(Client.get("/readyz", port: window.port)?.status == 503)
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
        try await plant.run(worker: renderer, ledger: try await Ledger.open(library: plant.folder + "/library")) {
            plant.coordinator.registry.has(coordinatorLines) && plant.catalogue.registry.has(catalogueLines)
        }

        let worker = try #require(Client.get("/metrics", port: window.port)).body
        for line in [
            "rawmill_jobs_total{outcome=\"completed\"} 4", "rawmill_jobs_total{outcome=\"failed\"} 1",
            "rawmill_job_duration_seconds_count 5", "rawmill_slots 2", "rawmill_jobs_in_flight 0",
            "rawmill_stage_duration_seconds_count{stage=\"decode\"} 4",
        ] { #expect(worker.contains("\n\(line)\n"), "\(line) in \(worker)") }
        #expect(worker.contains("rawmill_job_failures_total{reason="))
        let coordinator = String(decoding: plant.coordinator.registry.text, as: UTF8.self)
        for line in coordinatorLines { #expect(coordinator.contains("\n\(line)\n"), "\(line) in \(coordinator)") }
        let catalogue = String(decoding: plant.catalogue.registry.text, as: UTF8.self)
        for line in catalogueLines { #expect(catalogue.contains("\n\(line)\n"), "\(line) in \(catalogue)") }
        for page in [worker, coordinator, catalogue] { #expect(try promtool(page) == "") }
        #expect(Client.get("/readyz", port: window.port)?.body == "ready\n")
    }

    @Test("A role is ready when nothing is missing, and says what is; it is alive all the same")
    func readiness() throws {
        let readiness = Readiness([.warm: "cold", .assigned: "alone"])
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let window = try HealthServer(address, registry: MetricRegistry(), readiness: readiness)
        defer { window.stop() }
        #expect(try #require(Client.get("/readyz", port: window.port)) == (503, "assigned: alone\nwarm: cold\n"))
        #expect(try #require(Client.get("/healthz", port: window.port)) == (200, "alive\n"))
        readiness.met(.warm)
        readiness.met(.assigned)
        #expect(try #require(Client.get("/readyz", port: window.port)) == (200, "ready\n"))
        #expect(Client.get("/else", port: window.port)?.status == 404)
    }

    @Test("A process in which nothing runs any more is not alive")
    func pulse() async throws {
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let window = try HealthServer(
            address, registry: MetricRegistry(), readiness: Readiness(), pulse: Heartbeat(limit: .zero))
        defer { window.stop() }
        #expect(Client.get("/healthz", port: window.port)?.status == 503)
    }

    @Test("A breaker and lost storage make a worker not ready, with the reason; it comes back")
    func pauses() {
        let monitor = WorkerMonitor(MetricRegistry())
        monitor.take(.ready(slots: 2))
        #expect(monitor.readiness.problems.isEmpty)
        monitor.take(.paused(.storage(.init(.storageUnavailable, "The disk is gone."))))
        #expect(monitor.readiness.problems == ["working: The disk is gone."])
        monitor.take(.resumed)
        #expect(monitor.readiness.problems.isEmpty)
        monitor.take(.paused(.failures(50, last: .init(.corrupt, "It is cut short."))))
        #expect(
            monitor.readiness.problems == ["working: paused after 50 failures in a row, the last: It is cut short."])
    }

    /// What promtool says of the text; empty for nothing.
    private func promtool(_ text: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/promtool")
        process.arguments = ["check", "metrics"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 && said.isEmpty ? "" : String(decoding: said, as: UTF8.self) + "!"
    }
}

extension MetricRegistry {
    fileprivate func has(_ lines: [String]) -> Bool {
        let text = String(decoding: text, as: UTF8.self)
        return lines.allSatisfy { text.contains("\n\($0)\n") }
    }
}
