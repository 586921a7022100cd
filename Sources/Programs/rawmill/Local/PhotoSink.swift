import Broker
import Catalogue
import CommandLineTool
import Coordinator
import Export
import Jobs
import Library
import Manifests
import Records
import Storage
import Telemetry

/// The role that puts photos where people find them: the cataloguer of a library, or the exporter of a folder.
protocol PhotoSink: Sendable {
    /// Takes manifests as they arrive, until it is stopped.
    ///
    /// - Parameter onJobs: called with jobs whose photos are durable.
    func run(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws

    /// Ends `run` after the batch in hand.
    func stop()

    /// Manifests that are written and not taken yet.
    func lag() async throws -> Int64
    /// The coordinator's word about sources to remove that it has not taken yet.
    func unreadRemovals() async throws -> Int64

    /// Call it after the last use.
    ///
    /// - Parameter isDone: no job is open.
    func close(isDone: Bool) async throws
}

/// A job whose manifest was taken, and where its photos are.
struct FinishedJob {
    let manifest: Manifest
    /// Absolute paths, frame 0 first. A frame without a place is left out.
    let photos: [[UInt8]]
    /// Files of people that stand where a photo would; absolute.
    var occupied: [[UInt8]] = []
    /// Sentences that a person should read.
    var notices: [String] = []
    /// Files that stood at the photos' names and were kept; absolute.
    var kept: [[UInt8]] = []
    /// Why photos have no place.
    var problems: [String] = []
}

/// A library's cataloguer.
struct LibrarySink: PhotoSink {
    let cataloguer: Cataloguer
    /// The library's folder.
    let folder: String

    /// Opens the library; no work is taken yet.
    static func open(
        _ library: LocalLibrary, folder: String, _ roots: Roots, log: Logger
    ) async throws -> LibrarySink {
        let cataloguer = Cataloguer(
            transport: library.broker, library: folder, opened: library.library, roots: roots, log: log)
        try await cataloguer.open()
        // The record of it may still be on its way, and the plan comes first.
        let store = try LibraryStore(folder: folder, mode: .read)
        try await refuseLostDatabase(library, store)
        let gone = try store.removed.all()
        if !gone.isEmpty { try await library.ledger.perform { try $0.results.noteRemoved(gone) } }
        let waiting = try store.results.next(limit: .max).compactMap { try? JobResults(record: $0.record) }
        let forgotten = waiting.flatMap(\.forgotten)
        if !forgotten.isEmpty { try await library.ledger.perform { try $0.results.noteForgotten(forgotten) } }
        return LibrarySink(cataloguer: cataloguer, folder: folder)
    }

    /// Refuses a new database where the library has photos, whose manifests earlier runs took and removed: the ledger knows
    /// the photos, so that no run would make them again, and nobody would see them.
    private static func refuseLostDatabase(_ library: LocalLibrary, _ store: LibraryStore) async throws {
        let topic = ConsumedTopic(cluster: try await library.broker.clusterID(), topic: Topics.manifests)
        guard try store.offsets.partitions(of: topic).isEmpty else { return }
        let written = try await library.broker.watermarks(topic: Topics.manifests)
        let objects = Array(LibraryLayout.objects.utf8)
        guard written.values.contains(where: { $0.lowerBound > 0 }),
            try library.root.factsIfPresent(of: objects) != nil, try !library.root.entries(of: objects).isEmpty,
            try store.counts().renditions == 0
        else { return }
        throw CommandFailure(
            "the library \(library.folder) has photos, but its database is new. Restore the old one, or run "
                + "`rawmill library rebuild --library \(library.folder)`, and then this command again.",
            status: ExitStatus.fault)
    }

    func run(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws {
        let library = Array(folder.utf8)
        try await cataloguer.run { batch in
            try await onJobs(
                // What the library refused is rendered again, and told as a notice.
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

    func stop() { cataloguer.stop() }
    func lag() async throws -> Int64 { try await cataloguer.progress().lag }
    func unreadRemovals() async throws -> Int64 { try await cataloguer.unreadRemovals() }
    func close(isDone: Bool) async { await cataloguer.close() }
}

/// The exporter of a folder without a library.
struct FolderSink: PhotoSink {
    let exporter: FolderExporter
    /// The folder's path.
    let folder: String

    func run(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws {
        do {
            try await place(onJobs)
        } catch let error as StorageError {
            throw CommandFailure("the folder \(folder): \(error). \(error.remedy)", status: ExitStatus.fault)
        }
    }

    private func place(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws {
        let folder = Array(folder.utf8)
        try await exporter.run { jobs in
            try await onJobs(
                // What is lost is made again.
                jobs.filter { !$0.isLost }.map { job in
                    var finished = (photos: [[UInt8]](), kept: [[UInt8]](), problems: [String]())
                    for placement in job.placements {
                        switch placement {
                        case .placed(let path): finished.photos.append(folder + [UInt8(ascii: "/")] + path)
                        case .skipped(let path): finished.kept.append(folder + [UInt8(ascii: "/")] + path)
                        case .failed(let problem): finished.problems.append(problem)
                        case .lost: break
                        }
                    }
                    return FinishedJob(
                        manifest: job.manifest, photos: finished.photos, kept: finished.kept,
                        problems: finished.problems)
                })
        }
    }

    func stop() { exporter.stop() }
    func lag() async throws -> Int64 { try await exporter.lag() }
    // Without a library no source is moved.
    func unreadRemovals() async throws -> Int64 { 0 }
    func close(isDone: Bool) async throws { try await exporter.close(isDone: isDone) }
}
