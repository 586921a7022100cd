internal import Digest
internal import Jobs
internal import Manifests
internal import Records

/// Writes the dead letters of jobs that the ledger itself ends: because the library refused them too often, because no
/// worker answered, or because the coordinator checked a source that a worker missed. Workers write all other dead
/// letters, before their manifests.
struct DeadLetterWriter {
    private let jobs: JobsTable
    private let batches: BatchesTable
    private let letters: DeadLettersTable

    init(jobs: JobsTable, batches: BatchesTable, letters: DeadLettersTable) {
        self.jobs = jobs
        self.batches = batches
        self.letters = letters
    }

    /// Stores a dead letter until it is sent, within the transaction that ends the job. `now` is in milliseconds since
    /// 1970.
    func park(_ sequence: Int64, _ failure: Failure, attempts: UInt32, now: Int64) throws {
        guard let (number, waiting) = try jobs.job(sequence), let batch = try batches.facts(number) else { return }
        let job = Job(waiting, of: batch)
        let letter = DeadLetter(
            topic: job.topic, partition: 0, offset: 0, key: job.source.fingerprint.bytes, value: job.encoded(),
            failure: failure, attempts: attempts, worker: DeadLetter.ledger, parkedMilliseconds: now)
        try letters.insert(key: letter.key, value: letter.encoded(), traceparent: batch.traceparent)
    }
}
