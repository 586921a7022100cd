import Arguments
import Broker
import Catalogue
import Jobs
import Manifests
import Storage
import Telemetry

/// `rawmill catalogue`: the one writer of a cluster's library.
enum CatalogueCommand {
    static let command: Command = Command(
        "catalogue", summary: "Merges what the workers made into the library, until it is told to end.",
        discussion: "A library has one: a second one waits for nothing and says who has it.",
        examples: [
            .init("rawmill catalogue --broker kafka://kafka-1:9092 --library /mnt/library", "beside the storage")
        ],
        parameters: BrokerOptions.all + [LibraryOption.parameter, RootOptions.roots]
    ) { values in
        let log = RoleLog.of("catalogue", values)
        // Roots are needed to remove what was moved into the library; one that is not here only delays that.
        var paths = RootOptions.paths(values)
        paths[.library] = values[LibraryOption.parameter]
        let roots = try RootOptions.open(paths, creating: [.library])
        var settings = CatalogueSettings(topics: Topics.onCluster())
        settings.isService = true
        let cataloguer = Cataloguer(
            transport: try BrokerOptions.transport(values, log: log), library: values[LibraryOption.parameter],
            roots: roots, settings: settings, log: log)
        try await cataloguer.openLibrary()
        return try await RoleLife(log: log).run(stop: { cataloguer.stop() }, abort: {}) {
            try await cataloguer.run { merged in
                log.info(
                    merged.isRepeated ? .manifestRepeated : .manifestMerged,
                    [
                        .job: "\(merged.manifest.job)", .batch: "\(merged.manifest.batch)",
                        .source: "\(merged.manifest.source.raw.file)", .worker: "\(merged.manifest.worker)",
                    ])
            }
        }
    }
}
