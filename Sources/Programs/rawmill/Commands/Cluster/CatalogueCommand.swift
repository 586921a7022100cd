import Arguments
import Broker
import Catalogue
import Jobs
import Manifests
import Metrics
import Monitoring
import Storage
import Telemetry

/// `rawmill catalogue`: the writer of a cluster's library, or one of several.
enum CatalogueCommand {
    static let command: Command = Command(
        "catalogue", summary: "Run a cataloguer: merge finished photos into the library until stopped.",
        discussion: """
            A library with a SQLite file has one cataloguer; a second one exits at once and names the process that \
            holds the library. With PostgreSQL, several can run: they share the partitions, and take over when one \
            stops.
            """,
        examples: [
            .init("rawmill catalogue --broker kafka://kafka-1:9092 --library /mnt/library", "on the storage server")
        ],
        parameters: BrokerOptions.all + [
            LibraryOption.parameter, DatabaseOption.parameter, RootOptions.roots, RoleHTTPEndpoint.listen,
            TraceOption.collector, UmaskOption.parameter,
        ]
    ) { values in
        RoleLifecycle.starts()
        UmaskOption.apply(values)
        let log = RoleLog.of("catalogue", values)
        LibraryUpdateLog.start(log)
        // The roots are needed to remove RAWs that were moved into the library. A missing one only delays that.
        var paths = RootOptions.paths(values)
        paths[.library] = values[LibraryOption.parameter]
        let roots = try RootOptions.open(paths, creating: [.library])
        var settings = CatalogueSettings(topics: Topics.cluster())
        settings.isService = true
        settings.isShared = true
        let isMade = try DatabaseOption.isApplied(values, to: values[LibraryOption.parameter])
        if isMade { try NetworkDatabase.refuseLibrary(values[LibraryOption.parameter]) }
        let monitor = CatalogueMonitor(MetricRegistry())
        let endpoint = RoleHTTPEndpoint(
            "catalogue", values, registry: monitor.registry, readiness: monitor.readiness,
            roots: paths, disks: ["library": values[LibraryOption.parameter]])
        let transport = try BrokerOptions.transport(values, log: log) { endpoint.update($0) }
        let cataloguer = Cataloguer(
            transport: transport, library: values[LibraryOption.parameter], roots: roots, settings: settings,
            log: log, heartbeat: endpoint.heartbeat, onWait: { monitor.waits(for: $0) })
        return try await endpoint.run(
            RoleLifecycle(log: log, transport: transport), stop: { cataloguer.stop() },
            watch: { await monitor.watch(cataloguer) }
        ) {
            // The migration of old tables takes time, in which the role must report that it is alive.
            let isOpen = try await cataloguer.openLibrary {
                if !isMade { try DatabaseOption.apply(values, to: values[LibraryOption.parameter]) }
            }
            guard isOpen else { return }
            monitor.libraryOpened()
            _ = try await cataloguer.run { batch in
                monitor.record(batch)
                for merged in batch.manifests {
                    endpoint.traces?.export(merged)
                    write(merged, to: log)
                }
            }
        }
    }

    /// The cataloguer logs refusals.
    private static func write(_ merged: ManifestMergeResult, to log: Logger) {
        guard merged.isWhole else { return }
        let manifest = merged.manifest
        log.info(
            merged.isRepeated ? .manifestRepeated : .manifestMerged,
            [
                .job: "\(manifest.job)", .batch: "\(manifest.batch)", .source: "\(manifest.source.raw.file)",
                .worker: "\(manifest.worker)",
            ])
    }
}
