import Broker
import Jobs
import Manifests
import Records

/// Gives dead letters another chance.
///
/// A job's letter is not sent again: its job ended in the ledger, and a second record of it would end at once. The
/// coordinator is asked for fresh attempts instead, which it gives once, however often it is asked. A record that could
/// not be read at all (a newer version wrote it, say) goes back to its topic as it came.
struct Redrive {
    private(set) var jobs: [JobAddress] = []
    private(set) var records: [(topic: String, record: Record)] = []
    /// Letters without anything to send: records without a value, of topics that are not Rawmill's, or of which only
    /// the beginning was kept.
    private(set) var hopeless = 0

    /// Bytes of addresses in one control record; the record's limit leaves room for what surrounds them.
    private static let mostBytes = Record.largestBytes / 2

    mutating func take(_ numbered: NumberedLetter) {
        let letter = numbered.letter
        if let job = numbered.job {
            jobs.append(JobAddress(file: job.source.raw.file, job: job.id))
        } else if let record = Self.record(numbered) {
            records.append((letter.topic, record))
        } else {
            hopeless += 1
        }
    }

    private static func record(_ numbered: NumberedLetter) -> Record? {
        let letter = numbered.letter
        guard let value = letter.value, let topic = Topics.onOneMachine.first(where: { $0.name == letter.topic }) else {
            return nil
        }
        let record = Record(key: letter.key, value: value, headers: numbered.headers)
        return record.sizeBytes <= topic.largestBytes ? record : nil
    }

    /// Returns when the broker has all of it for good.
    func send(_ transport: any Transport) async throws {
        try await transport.withProducer { producer in
            for some in Self.portions(jobs) {
                let control = Control.retry(RetryChoice(jobs: some))
                _ = try await producer.send([ControlSender.record(control)], to: Topics.control)
            }
            for (topic, record) in records { _ = try await producer.send([record], to: topic) }
        }
    }

    /// The jobs in portions that fit into a record each.
    static func portions(_ jobs: [JobAddress]) -> [[JobAddress]] {
        var portions: [[JobAddress]] = []
        var room = 0
        for job in jobs {
            // Root, job and the tags around them are below 128 bytes.
            let bytes = job.file.path.bytes.count + 128
            if bytes > room {
                portions.append([])
                room = mostBytes
            }
            portions[portions.count - 1].append(job)
            room -= bytes
        }
        return portions
    }
}
