internal import Broker
internal import Digest
internal import Jobs
internal import Manifests
internal import Storage
internal import Synchronization

/// Counts starts of jobs without an end. The counts are names of empty files in a folder of the library, so they
/// survive the worker. ``Probation`` decides what follows from a count.
///
/// (1) Before a render starts, its start marker is created. It survives the end of the program, and for longer renders
/// also a power cut. (2) When the render ends, its start markers are removed. (3) When the job's result is durable, a
/// completion marker names the delivery. (4) When the broker will not deliver it again, the completion marker is
/// removed. A worker that dies between (1) and (2) leaves a start without an end; between (3) and (4), a delivery that
/// needs no render.
final class AttemptTracker: Sendable {
    private let folder: Mutex<AttemptFolder>
    /// Identifies the cluster in names: positions are only valid within one cluster.
    private let clusterMark: String
    private let maxStarts: UInt32

    init(library: Root, clusterID: String, maxStarts: UInt32) {
        folder = Mutex(AttemptFolder(library: library))
        // Hashed, because a cluster ID may contain any characters.
        clusterMark = String(SHA256Value(of: clusterID.utf8).description.prefix(16))
        self.maxStarts = maxStarts
    }

    /// Opens the library's folder again after its storage came back, perhaps as another mount.
    func reopen(_ library: Root) { folder.withLock { $0 = AttemptFolder(library: library) } }

    // MARK: - Starts

    /// Counts a start, and returns its number, from 1; nil if the job has used all its starts. A power cut may undo it;
    /// see ``makeStartsDurable()``.
    func beginStart(of job: Job) throws(StorageError) -> UInt32? {
        let folder = try opened()
        for number in 1...maxStarts where try folder.create(startMarker(job, number), isDurable: false) {
            return number
        }
        return nil
    }

    /// Makes the starts so far survive a power cut. Only for long renders: waiting for the disk would take longer than
    /// a short render, and a job that takes down a whole machine runs for a while.
    func makeStartsDurable() throws(StorageError) { try opened().sync() }

    /// Number of the job's starts without an end: how often its worker ended while rendering it.
    func openStarts(of job: Job) throws(StorageError) -> UInt32 {
        guard let folder = try existing() else { return 0 }
        for number in 1...maxStarts where try !folder.contains(startMarker(job, number)) { return number - 1 }
        return maxStarts
    }

    /// Removes the starts of a render that ended. A power cut can restore a marker, which costs the job one start.
    func endStarts(of job: Job) throws(StorageError) {
        guard let folder = try existing() else { return }
        for number in 1...maxStarts where try !folder.remove(startMarker(job, number)) { return }
    }

    // MARK: - Completed deliveries

    /// Whether this delivery was completed before and only its commit was missing.
    func isComplete(_ job: Job, at position: Position) throws(StorageError) -> Bool {
        try existing()?.contains(completionMarker(job, position)) ?? false
    }

    /// Not synchronized to the disk: a power cut costs one more render.
    func markComplete(_ job: Job, at position: Position) throws(StorageError) {
        _ = try opened().create(completionMarker(job, position), isDurable: false)
    }

    func removeMarkers(of job: Job, at position: Position) throws(StorageError) {
        try endStarts(of: job)
        try existing()?.remove(completionMarker(job, position))
    }

    /// Removes the markers of workers that died between a commit and step (4). `committed` is the first offset still to
    /// be delivered, by partition of every job topic.
    func removeMarkers(committed: [TopicPartition: Int64]) throws(StorageError) {
        guard let folder = try existing() else { return }
        let names = try folder.names()
        for name in names {
            guard let marker = CompletionMarker(name: name), marker.cluster == clusterMark,
                let first = committed[marker.position.partition], marker.position.offset < first
            else { continue }
            for other in names where other.starts(with: marker.stem.utf8) { try folder.remove(other) }
        }
    }

    // MARK: - Names

    private func startMarker(_ job: Job, _ number: UInt32) -> [UInt8] { Array("\(stem(job))\(number)".utf8) }

    private func completionMarker(_ job: Job, _ position: Position) -> [UInt8] {
        CompletionMarker(stem: stem(job), cluster: clusterMark, position: position).name
    }

    private func stem(_ job: Job) -> String { "\(job.id).\(job.round)." }

    private func opened() throws(StorageError) -> MarkerFolder { try folder.withLock { $0 }.opened() }

    /// For reading and removing; creates no folder. A worker may ask before it knows its library's identity, and must
    /// leave nothing in an unmounted folder.
    private func existing() throws(StorageError) -> MarkerFolder? { try folder.withLock { $0 }.existing() }
}

/// The library's folder of attempt markers, kept open because every job creates and removes several names in it.
private final class AttemptFolder: Sendable {
    private let library: Root
    private let folder = Mutex<MarkerFolder?>(nil)

    init(library: Root) { self.library = library }

    func opened() throws(StorageError) -> MarkerFolder {
        if let known = folder.withLock({ $0 }) { return known }
        let opened = try MarkerFolder(Array(LibraryLayout.attempts.utf8), in: library)
        folder.withLock { $0 = opened }
        return opened
    }

    func existing() throws(StorageError) -> MarkerFolder? {
        if let known = folder.withLock({ $0 }) { return known }
        return try library.factsIfPresent(of: Array(LibraryLayout.attempts.utf8)) == nil ? nil : try opened()
    }
}
