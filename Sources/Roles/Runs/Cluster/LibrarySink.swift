internal import Broker
package import Catalogue
internal import Coordinator
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Records
package import Storage
package import Telemetry

package struct LibrarySink: PhotoSink {
    package let cataloguer: Cataloguer
    package let folder: String

    /// Opens the library without starting work.
    package static func open(
        _ library: LocalLibrary, folder: String, _ roots: Roots, log: Logger
    ) async throws -> LibrarySink {
        let cataloguer = Cataloguer(
            transport: library.broker, library: folder, opened: library.library, roots: roots, log: log)
        try await cataloguer.open()
        // The plan needs removed photos and forgotten results, whose records may not have arrived.
        let store = try LibraryStore(folder: folder, mode: .read)
        try await refuseLostDatabase(library, store)
        let gone = try store.tables.removed.all()
        if !gone.isEmpty { try await library.ledger.perform { try $0.results.noteRemoved(gone) } }
        let waiting = try store.tables.results.next(limit: .max).compactMap { try? JobResults(record: $0.record) }
        let forgotten = waiting.flatMap(\.forgotten)
        if !forgotten.isEmpty { try await library.ledger.perform { try $0.results.noteForgotten(forgotten) } }
        return LibrarySink(cataloguer: cataloguer, folder: folder)
    }

    /// Refuses a new database in a library with photos: the ledger has their jobs as done and their manifests are
    /// deleted, so no run would add them to it.
    private static func refuseLostDatabase(_ library: LocalLibrary, _ store: LibraryStore) async throws {
        let topic = ConsumedTopic(cluster: try await library.broker.clusterID(), topic: Topics.manifests)
        guard try store.tables.offsets.partitions(of: topic).isEmpty else { return }
        let written = try await library.broker.watermarks(topic: Topics.manifests)
        let objects = Array(LibraryLayout.objects.utf8)
        guard written.values.contains(where: { $0.lowerBound > 0 }),
            try library.root.factsIfPresent(of: objects) != nil, try !library.root.entries(of: objects).isEmpty,
            try store.counts().renditions == 0
        else { return }
        throw RunError(
            "the library \(library.folder) has photos, but its database is new. Restore the old one, or run "
                + "`rawmill library rebuild --library \(library.folder)`, and then this command again.")
    }

    package func run(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws {
        let library = Array(folder.utf8)
        try await cataloguer.run { batch in
            try await onJobs(
                // Refused photos are rendered again, and the coordinator reports them.
                batch.manifests.filter(\.isWhole).map { merged in
                    let photos = merged.frames.compactMap { $0.photo.map { library + [UInt8(ascii: "/")] + $0.bytes } }
                    let occupied = merged.frames.compactMap {
                        $0.occupied.map { library + [UInt8(ascii: "/")] + $0.bytes }
                    }
                    return FinishedJob(
                        manifest: merged.manifest, photos: photos, occupied: occupied,
                        notices: merged.frames.compactMap(Self.notice))
                })
        }
    }

    private static func notice(_ frame: ManifestMergeResult.Frame) -> String? {
        guard let name = frame.occupied else { return nil }
        let now = frame.photo.map { "the new photo is \($0)" } ?? "the new photo has another name"
        return "\(name) was edited, or is not Rawmill's: it stays as it is, and \(now)."
    }

    package func stop() { cataloguer.stop() }
    package func lag() async throws -> Int64 { try await cataloguer.progress().lag }
    package func unreadRemovals() async throws -> Int64 { try await cataloguer.unreadRemovals() }
    package func close(isDone: Bool) async { await cataloguer.close() }
}
