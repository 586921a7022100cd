internal import Broker
internal import Digest
internal import Jobs
internal import Manifests
internal import Storage
internal import Synchronization

/// Counts, durably, the starts of jobs that have no end. The counts are names of empty files in a folder of the library,
/// so they survive the worker. ``Probation`` says what follows from a count.
///
/// In steps: (1) before a render starts, its start marker is there, which the end of the program cannot undo, and a power
/// cut neither once the render takes longer; (2) when the render has ended, in whatever way, its
/// start markers are removed; (3) when what became of the job is durable, a completion marker names the delivery;
/// (4) when the broker will not deliver it again, the completion marker is removed. A worker that dies between (1) and
/// (2) leaves a start without an end. One that dies between (3) and (4) leaves a delivery that needs no render.
final class AttemptTracker: Sendable {
    private let folder: Mutex<AttemptFolder>
    /// Stands for the cluster in names: positions mean something in one cluster only.
    private let clusterMark: String
    private let maxStarts: UInt32

    init(library: Root, clusterID: String, maxStarts: UInt32) {
        folder = Mutex(AttemptFolder(library: library))
        // A cluster ID may be anything, a file name may not.
        clusterMark = String(SHA256Value(of: clusterID.utf8).description.prefix(16))
        self.maxStarts = maxStarts
    }

    /// Uses the library's folder anew: its storage came back, perhaps as another mount.
    func reopen(_ library: Root) { folder.withLock { $0 = AttemptFolder(library: library) } }

    // MARK: - Starts

    /// Counts a start. A power cut may undo that, see ``makeStartsDurable()``.
    ///
    /// - Returns: its number, from 1; nil if the job has had all its starts.
    func beginStart(of job: Job) throws(StorageError) -> UInt32? {
        let folder = try opened()
        for number in 1...maxStarts where try folder.create(startMarker(job, number), isDurable: false) {
            return number
        }
        return nil
    }

    /// Makes the starts up to now survive a power cut. For renders that take long: waiting for the disk before each of
    /// many short ones would take longer than they do, and what takes a whole machine down takes its time.
    func makeStartsDurable() throws(StorageError) { try opened().sync() }

    /// How many starts of the job have no end: as often as its worker ended while the job was being rendered.
    func openStarts(of job: Job) throws(StorageError) -> UInt32 {
        guard let folder = try existing() else { return 0 }
        for number in 1...maxStarts where try !folder.contains(startMarker(job, number)) { return number - 1 }
        return maxStarts
    }

    /// The render has ended, so no start is without an end. A power cut can bring a marker back, which costs the job one
    /// start.
    func endStarts(of job: Job) throws(StorageError) {
        guard let folder = try existing() else { return }
        for number in 1...maxStarts where try !folder.remove(startMarker(job, number)) { return }
    }

    // MARK: - Completed deliveries

    /// True if this delivery was completed before and only its commit was missing.
    func isComplete(_ job: Job, at position: Position) throws(StorageError) -> Bool {
        try existing()?.contains(completionMarker(job, position)) ?? false
    }

    /// Not synchronized to the disk: a power cut costs one more render.
    func markComplete(_ job: Job, at position: Position) throws(StorageError) {
        _ = try opened().create(completionMarker(job, position), isDurable: false)
    }

    /// Removes the job's markers: the delivery will not come again.
    func removeMarkers(of job: Job, at position: Position) throws(StorageError) {
        try endStarts(of: job)
        try existing()?.remove(completionMarker(job, position))
    }

    /// Removes what workers left that died between a commit and step (4).
    ///
    /// - Parameter committed: for each partition of every topic of jobs, the first offset that is still to be delivered.
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

    /// For adding a marker.
    private func opened() throws(StorageError) -> MarkerFolder { try folder.withLock { $0 }.opened() }

    /// For looking and removing: nothing is made for that. A worker may be asked before it knows which library its folder
    /// should be, and where nothing is mounted, nothing is to be left.
    private func existing() throws(StorageError) -> MarkerFolder? { try folder.withLock { $0 }.existing() }
}

/// The library's folder of attempt markers. It stays open, because every job creates and removes several names in it.
private final class AttemptFolder: Sendable {
    private let library: Root
    private let folder = Mutex<MarkerFolder?>(nil)

    init(library: Root) { self.library = library }

    /// Creates the folder if there is none.
    func opened() throws(StorageError) -> MarkerFolder {
        if let known = folder.withLock({ $0 }) { return known }
        let opened = try MarkerFolder(Array(LibraryLayout.attempts.utf8), in: library)
        folder.withLock { $0 = opened }
        return opened
    }

    /// Nil if there is none.
    func existing() throws(StorageError) -> MarkerFolder? {
        if let known = folder.withLock({ $0 }) { return known }
        return try library.factsIfPresent(of: Array(LibraryLayout.attempts.utf8)) == nil ? nil : try opened()
    }
}
