import Foundation
import Testing
import TraceCollector
import WebClient

/// Telemetry of a cluster of processes.
@Suite("A cluster's telemetry", .serialized)
struct ClusterTelemetryTests {
    @Test("One trace leads from an order to the library, and every log line about a job has its id")
    func traces() throws {
        let collector = try TraceCollector()
        let cluster = try TestCluster(.mock)
        try cluster.makeSources(5)
        let options = ["--traces", collector.url, "--log-level", "debug"]
        let roles = try [
            cluster.start("coordinator", options), cluster.start("catalogue", options),
            cluster.start("worker", ["-j", "2", "--null-renderer"] + options),
        ]
        let submit = try cluster.begin("submit", ["archive/shoot", "--wait", "--traces", collector.url])
        let ended = submit.wait(seconds: 180)
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        #expect(cluster.wait { cluster.shownPhotos.count == 5 })
        for role in roles {
            role.send(SIGTERM)
            check(log: role.wait(seconds: 120).errors)
        }
        try check(collector.spans())
    }

    /// Names and parents of an order of five jobs.
    private func check(_ spans: [TraceCollector.Span]) throws {
        #expect(Set(spans.map(\.trace)).count == 1)
        let (roots, plans) = (spans.filter { $0.name == "submit" }, spans.filter { $0.name == "plan" })
        let (renders, merges) = (spans.filter { $0.name == "render" }, spans.filter { $0.name == "merge" })
        let closes = spans.filter { $0.name == "close" }
        let root = try #require(roots.first)
        #expect(roots.count == 1 && root.parent == nil && root.service == "rawmill-submit")
        #expect(plans.map(\.parent) == [root.id] && plans.first?.attributes["jobs"] == "5")
        #expect(renders.count == 5 && renders.allSatisfy { $0.parent == root.id && $0.service == "rawmill-worker" })
        #expect(Set(merges.map(\.parent)) == Set(renders.map(\.id)) && merges.count == 5)
        #expect(Set(merges.compactMap { $0.attributes["job"] }) == Set(renders.compactMap { $0.attributes["job"] }))
        #expect(Set(closes.map(\.parent)) == Set(renders.map(\.id)) && closes.count == 5)
        #expect(closes.allSatisfy { $0.service == "rawmill-coordinator" && $0.attributes["outcome"] == "catalogued" })
        let stages = spans.filter { !["submit", "plan", "render", "close", "merge"].contains($0.name) }
        #expect(!stages.isEmpty && stages.allSatisfy { stage in renders.contains { $0.id == stage.parent } })
        #expect(spans.allSatisfy { $0.failure == nil && $0.start <= $0.end && $0.start >= root.start })
    }

    private func check(log: String) {
        let lines = log.split(separator: "\n").filter {
            $0.contains(" event=job.") || $0.contains(" event=manifest.") || $0.contains(" event=photo.")
        }
        #expect(!lines.isEmpty)
        for line in lines { #expect(line.contains(" job="), "\(line)") }
    }

    @Test("Every role serves its health, its readiness and its metrics")
    func endpoints() throws {
        let cluster = try TestCluster(.mock)
        try cluster.makeSources(5)
        let ports = try FreePorts.take(3)
        func listen(_ index: Int) -> [String] { ["--listen", "127.0.0.1:\(ports[index])"] }
        let worker = try cluster.start("worker", ["-j", "2", "--null-renderer"] + listen(0))
        let others = try [
            cluster.start("coordinator", listen(1)), cluster.start("catalogue", listen(2)),
        ]
        func status(_ path: String, _ index: Int) -> Int? { Client.get(path, port: ports[index])?.status }
        for index in ports.indices {
            #expect(cluster.wait { status("/readyz", index) == 200 })
            #expect(status("/healthz", index) == 200)
            let health = try cluster.run("health", listen(index), connects: false)
            #expect(health.status == 0 && health.output == "ready\n", "\(health)")
            let alive = try cluster.run("health", ["--alive"] + listen(index), connects: false)
            #expect(alive.status == 0 && alive.output == "alive\n", "\(alive)")
        }
        // Free space is measured soon after the start.
        for index in ports.indices {
            let text = Client.get("/metrics", port: ports[index])?.body ?? ""
            #expect(text.contains("\nrawmill_disk_free_bytes{folder=\"library\"} "), "\(text)")
        }
        #expect(try cluster.run("submit", ["archive/shoot", "--wait"]).status == 0)
        expect(
            [
                "rawmill_jobs_total{outcome=\"completed\"} 5", "rawmill_slots 2",
                "rawmill_rebalances_total{group=\"rawmill.jobs.bulk.workers\",change=\"assigned\"} 1",
                "rawmill_assigned_partitions{group=\"rawmill.jobs.bulk.workers\"} 4",
                "rawmill_kafka_consumer_connected{group=\"rawmill.retry.workers\"} 1",
            ], port: ports[0], cluster)
        expect(["rawmill_ledger_jobs{state=\"open\"} 0"], port: ports[1], cluster)
        let taken = try cluster.start("worker", ["--null-renderer"] + listen(1)).wait(seconds: 120)
        #expect(taken.status == 64 && taken.errors.contains("cannot listen on"), "\(taken.errors)")
        worker.send(SIGSTOP)
        let stopped = try cluster.run("health", listen(0), connects: false)
        worker.send(SIGCONT)
        #expect(stopped.status == 3 && stopped.output.hasPrefix("No role answers at 127.0.0.1:"), "\(stopped)")
        #expect(try cluster.run("health", [], connects: false).status == 64)
        withExtendedLifetime((worker, others)) {}
    }

    /// It waits for a missing cluster: only its port matters here.
    @Test("A role that ended while it was scraped restarts at once on its port, and a second one there is refused")
    func restart() throws {
        let library = try Workspace().folder.appending(path: "library").path
        let port = try FreePorts.take(1)[0]
        func start() throws -> Running {
            try Running([
                "catalogue", "--broker", "kafka://127.0.0.1:1", "--library", library, "--listen", "127.0.0.1:\(port)",
            ])
        }
        let scrape = Array("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        for signal in [SIGTERM, SIGKILL, SIGTERM] {
            let role = try start()
            #expect(role.wait { Client.get("/healthz", port: port)?.status == 200 }, "\(role.errorsSoFar)")
            let scrapers = try (0..<3).map { _ in try #require(Client.open(scrape, port: port)) }
            defer { for scraper in scrapers { close(scraper) } }
            let second = try Running([
                "worker", "--broker", "kafka://127.0.0.1:1", "--root", "library=\(library)", "--listen",
                "127.0.0.1:\(port)",
            ]).wait(seconds: 60)
            #expect(second.status == 64 && second.errors.contains("Address already in use"), "\(second.errors)")
            role.send(signal)
            #expect(role.wait(seconds: 30).status == (signal == SIGTERM ? 0 : -SIGKILL))
        }
    }

    /// Metrics follow the events a moment later.
    private func expect(_ lines: [String], port: UInt16, _ cluster: TestCluster) {
        var text = ""
        let isSo = cluster.wait {
            text = Client.get("/metrics", port: port)?.body ?? ""
            return lines.allSatisfy { text.contains("\n\($0)\n") }
        }
        #expect(isSo, "\(lines.filter { !text.contains("\n\($0)\n") }) in \(text)")
    }
}
