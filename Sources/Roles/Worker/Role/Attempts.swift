internal import Broker
internal import Digest
internal import Jobs
internal import Manifests
internal import Storage
internal import Synchronization

/// The durable count of a job's starts without an end, as names in a folder of the library; it survives the worker.
///
/// In steps: (1) before a render starts its marker is durable; (2) when the render has ended, however, the markers go;
/// (3) when what became of the job is durable, a note says for which delivery; (4) when the broker will not deliver
/// that again, the note goes. A worker that dies between (1) and (2) leaves a start without an end; between (3) and
/// (4), a delivery that needs no render.
struct Attempts: Sendable {
    let folder: AttemptFolder
    /// Positions mean something in one cluster only.
    let cluster: String
    let limit: UInt32

    /// Counts a start: its number, from 1; nil where there were too many already.
    func begin(_ job: Job) throws(StorageError) -> UInt32? {
        let folder = try folder.opened()
        for number in 1...limit where try folder.create(marker(job, number)) { return number }
        return nil
    }

    /// True where every start but the last allowed one was counted and has no end.
    func isAtLastStart(_ job: Job) throws(StorageError) -> Bool {
        guard limit > 1 else { return false }
        return try folder.opened().contains(marker(job, limit - 1))
    }

    /// The render is over, so that none of its starts is without an end. A power cut can bring a marker back, which
    /// costs the job one start.
    func end(_ job: Job) throws(StorageError) {
        let folder = try folder.opened()
        for number in 1...limit where try !folder.remove(marker(job, number)) { return }
    }

    /// True where this very delivery came to its end before, and only its commit was missing.
    func hasEnded(_ job: Job, _ position: Position) throws(StorageError) -> Bool {
        try folder.opened().contains(note(job, position))
    }

    /// Not durable by itself: a power cut costs one render more.
    func noteEnd(_ job: Job, _ position: Position) throws(StorageError) {
        _ = try folder.opened().create(note(job, position), isDurable: false)
    }

    func forget(_ job: Job, _ position: Position) throws(StorageError) {
        try end(job)
        try folder.opened().remove(note(job, position))
    }

    /// Removes what a worker that died between the commit and step (3) left.
    ///
    /// - Parameter committed: by partition, the first offset that will still be delivered; of every topic of jobs.
    func sweep(committed: [TopicPartition: Int64]) throws(StorageError) {
        let folder = try folder.opened()
        let names = try folder.names()
        for name in names {
            guard let note = EndNote(name: name), note.cluster == clusterMark,
                let first = committed[note.position.partition], note.position.offset < first
            else { continue }
            for other in names where other.starts(with: note.stem.utf8) { try folder.remove(other) }
        }
    }

    private func marker(_ job: Job, _ number: UInt32) -> [UInt8] {
        Array("\(stem(job))\(number)".utf8)
    }

    private func note(_ job: Job, _ position: Position) -> [UInt8] {
        EndNote(stem: stem(job), cluster: clusterMark, position: position).name
    }

    private func stem(_ job: Job) -> String { "\(job.id).\(job.round)." }

    /// A cluster's name may be anything, a file's may not.
    private var clusterMark: String { String(SHA256Value(of: cluster.utf8).description.prefix(16)) }
}

/// The library's folder of the starts. It stays open, because every job makes and removes several names in it.
final class AttemptFolder: Sendable {
    let library: Root
    private let folder = Mutex<MarkerFolder?>(nil)

    init(library: Root) { self.library = library }

    /// The folder, made where there is none.
    func opened() throws(StorageError) -> MarkerFolder {
        if let known = folder.withLock({ $0 }) { return known }
        let opened = try MarkerFolder(Array(LibraryLayout.attempts.utf8), in: library)
        folder.withLock { $0 = opened }
        return opened
    }
}
