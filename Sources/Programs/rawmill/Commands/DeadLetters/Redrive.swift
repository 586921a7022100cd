import Broker
import ClusterControl
import Jobs
import Manifests
import Records

/// Retries dead letters.
///
/// A job's record is not sent again: its job ended in the ledger, and a second record would end at once. Instead the
/// coordinator makes fresh attempts, only once for any number of requests. An unreadable record, such as one of a newer
/// version, returns to its topic unchanged.
struct Redrive {
    /// Each job once, although each failed attempt has its letter.
    private(set) var jobs: [JobAddress] = []
    private var known: Set<JobAddress> = []
    private(set) var records: [(topic: String, record: Record)] = []
    /// Letters with nothing to send: their records have no value, belong to topics of other programs, or were cut.
    private(set) var unsendable = 0

    /// The limit for addresses in one control record. The other half of the record's limit is for their surroundings.
    private static let maxBytes = Record.maxBytes / 2

    mutating func add(_ numbered: NumberedLetter) {
        let letter = numbered.letter
        if let job = numbered.job {
            let address = JobAddress(file: job.source.raw.file, job: job.id)
            if known.insert(address).inserted { jobs.append(address) }
        } else if let record = Self.record(numbered) {
            records.append((letter.topic, record))
        } else {
            unsendable += 1
        }
    }

    private static func record(_ numbered: NumberedLetter) -> Record? {
        let letter = numbered.letter
        guard let value = letter.value, let topic = Topics.local.first(where: { $0.name == letter.topic }) else {
            return nil
        }
        let record = Record(key: letter.key, value: value, headers: numbered.headers)
        return record.sizeBytes <= topic.maxRecordBytes ? record : nil
    }

    func send(_ transport: any Transport) async throws {
        try await transport.withProducer { producer in
            for portion in Self.portions(jobs) {
                let control = Control.retry(RetryFilter(jobs: portion))
                _ = try await producer.send([ControlSender.record(control)], to: Topics.control)
            }
            for (topic, record) in records { _ = try await producer.send([record], to: topic) }
        }
    }

    /// Divides the jobs into portions that each fit into a record.
    static func portions(_ jobs: [JobAddress]) -> [[JobAddress]] {
        var portions: [[JobAddress]] = []
        var capacity = 0
        for job in jobs {
            // Root, job and their tags take less than 128 bytes.
            let bytes = job.file.path.bytes.count + 128
            if bytes > capacity {
                portions.append([])
                capacity = maxBytes
            }
            portions[portions.count - 1].append(job)
            capacity -= bytes
        }
        return portions
    }
}
