import Broker
import Catalogue
import Coordinator
import Foundation
import Jobs
import Looks
import Metrics
import Monitoring
import RenderHost
import Samples
import Storage
import Testing
import Web

@testable import Worker

/// The three roles on an embedded broker, each with its monitor, over a folder of four photos and a damaged one.
final class ClusterFixture: Sendable {
    let folder: String
    let broker: EmbeddedBroker
    let worker = WorkerMonitor(MetricRegistry())
    let coordinator = CoordinatorMonitor(MetricRegistry())
    let catalogue = CatalogueMonitor(MetricRegistry())
    let group: GroupMonitor

    init() async throws {
        folder = FileManager.default.temporaryDirectory.path + "/rawmill-monitoring-\(UUID())"
        let archive = try Root(path: folder + "/archive", creating: true)
        for index in 0..<4 {
            let bytes = Sample.dng(index: index, size: Sample.size(megapixels: 0.1))
            _ = try archive.publish(bytes, at: Array(Sample.name(index).utf8), isDurable: false)
        }
        _ = try archive.publish(Array("not a RAW".utf8), at: Array("broken.dng".utf8), isDurable: false)
        _ = try Root(path: folder + "/library", creating: true)
        broker = try await EmbeddedBroker.inMemory()
        try await broker.create(Topics.local)
        group = GroupMonitor(coordinator.registry)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Runs all three roles until every job has ended and `isOver` is true.
    ///
    /// - Parameter isOver: whether the metrics show the end of the run. The test checks them after a minute in any
    ///   case.
    func run(worker renderer: RenderWorker, ledger: Ledger, until isOver: () -> Bool) async throws {
        let cataloguer = Cataloguer(
            transport: broker, library: folder + "/library", roots: Roots([:]),
            settings: CatalogueSettings(maxWait: .milliseconds(20)))
        try await cataloguer.open()
        catalogue.libraryOpened()
        let run = CoordinatorRun(
            ledger: ledger, transport: broker, library: folder + "/library",
            settings: RunSettings(workersGroup: WorkerGroup.name)
        ) { self.coordinator.record($0) }
        let request = RunRequest(sources: [Array((folder + "/archive").utf8)], submission: try submission())
        async let rendering: Void = renderer.run()
        async let cataloguing = cataloguer.run { self.catalogue.record($0) }
        let watching = [
            Task { await self.coordinator.watch(ledger, every: .milliseconds(20)) },
            Task { await self.catalogue.watch(cataloguer, every: .milliseconds(20)) },
            Task {
                await self.group.watch(
                    self.broker, topics: [Topics.interactiveJobs, Topics.bulkJobs, Topics.retry],
                    group: WorkerGroup.name, every: .milliseconds(20))
            },
        ]
        _ = try await run.run([request])
        while try await !cataloguer.progress().isCaughtUp { try await Task.sleep(for: .milliseconds(5)) }
        renderer.stop()
        try await rendering
        let deadline = ContinuousClock.now + .seconds(60)
        while !isOver(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(20)) }
        for watch in watching { watch.cancel() }
        cataloguer.stop()
        _ = try await cataloguing
    }

    func renderer() throws -> RenderWorker {
        var settings = WorkerSettings(name: "tester", slots: 2)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
        let here = URL(fileURLWithPath: bundle ?? CommandLine.arguments[0]).deletingLastPathComponent()
        settings.program = RenderProgram(path: here.appending(path: "rawmill-render").path, level: nil)
        settings.heartbeatInterval = nil
        let roots = Roots([
            "archive": try Root(path: folder + "/archive"), "library": try Root(path: folder + "/library"),
        ])
        return try RenderWorker(settings: settings, transport: broker, roots: roots) { self.worker.record($0) }
    }

    private func submission() throws -> Submission {
        let look = try LookCatalogue.builtIn.look("neutral")
        let reference = try #require(LookReference(name: look.name, version: look.version, digest: look.digest))
        return Submission(recipe: Recipe(look: reference), submittedMilliseconds: 1)
    }
}
