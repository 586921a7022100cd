internal import Broker
internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// The durable count of a job's starts without an end, as empty files in the library; it survives the worker.
///
/// In steps: (1) before a render starts its marker is durable; (2) when the render has ended, however, the markers go;
/// (3) when what became of the job is durable, a note says for which delivery; (4) when the broker will not deliver
/// that again, the note goes. A worker that dies between (1) and (2) leaves a start without an end; between (3) and
/// (4), a delivery that needs no render.
struct Attempts: Sendable {
    let library: Root
    /// Positions mean something in one cluster only.
    let cluster: String
    let limit: UInt32

    /// Counts a start: its number, from 1; nil where there were too many already.
    func begin(_ job: Job) throws(StorageError) -> UInt32? {
        for number in 1...limit where try library.createMarker(marker(job, number)) { return number }
        return nil
    }

    /// The render is over, so that none of its starts is without an end. A power cut can bring a marker back, which
    /// costs the job one start.
    func end(_ job: Job) throws(StorageError) {
        for number in 1...limit where try !library.remove(marker(job, number)) { return }
    }

    /// True where this very delivery came to its end before, and only its commit was missing.
    func hasEnded(_ job: Job, _ position: Position) throws(StorageError) -> Bool {
        try note(of: job) == text(position)
    }

    /// Not durable by itself: a power cut costs one render more.
    func noteEnd(_ job: Job, _ position: Position) throws(StorageError) {
        let path = marker(job, Self.endNumber)
        _ = try library.publish(text(position), at: path, existing: .replace, isDurable: false)
    }

    func forget(_ job: Job) throws(StorageError) {
        try end(job)
        try library.remove(marker(job, Self.endNumber))
    }

    /// Removes what a worker that died between the commit and step (3) left.
    ///
    /// - Parameter committed: by partition, the first offset that will still be delivered; of every topic of jobs.
    func sweep(committed: [TopicPartition: Int64]) throws(StorageError) {
        let path = Self.folder
        guard try library.factsIfPresent(of: path) != nil else { return }
        let names = try library.entries(of: path).map(\.name)
        let ending = Array(".\(Self.endNumber)".utf8)
        for name in names where name.suffix(ending.count).elementsEqual(ending) {
            let stem = name.dropLast(ending.count - 1)
            let note = try? library.contents(of: path + [UInt8(ascii: "/")] + name, limitBytes: 4096)
            guard let note, let position = position(note), let first = committed[position.partition],
                position.offset < first
            else { continue }
            for other in names where other.starts(with: stem) { try library.remove(path + [UInt8(ascii: "/")] + other) }
        }
    }

    /// Number of the note in place of a start's.
    private static let endNumber: UInt32 = 0

    /// Where the layout has all of them.
    private static let folder = Array("\(LibraryLayout.hidden)/attempts".utf8)

    private func marker(_ job: Job, _ number: UInt32) -> [UInt8] {
        LibraryLayout.attempt(job.id, round: job.round, attempt: number).bytes
    }

    private func text(_ position: Position) -> [UInt8] {
        Array("\(cluster) \(position.partition.topic) \(position.partition.partition) \(position.offset)\n".utf8)
    }

    /// The delivery a note is about; nil where it is of another cluster, or no note.
    private func position(_ note: [UInt8]) -> Position? {
        let words = String(decoding: note, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 4, words[0] == cluster, let partition = Int32(words[2]), let offset = Int64(words[3])
        else { return nil }
        return Position(partition: TopicPartition(topic: String(words[1]), partition: partition), offset: offset)
    }

    private func note(of job: Job) throws(StorageError) -> [UInt8]? {
        do throws(StorageError) {
            return try library.contents(of: marker(job, Self.endNumber), limitBytes: 4096)
        } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }
}
