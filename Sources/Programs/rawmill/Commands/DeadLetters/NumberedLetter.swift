import Broker
import ClusterControl
import CommandLineTool
import Jobs
import Manifests
import Records

/// A dead letter and its number: its offset, because the topic has one partition.
struct NumberedLetter {
    let number: Int64
    let letter: DeadLetter
    let headers: [Header]

    /// The job of the record; nil if the record is not a job or is unreadable.
    var job: Job? {
        guard Self.jobTopics.contains(letter.topic), let value = letter.value else { return nil }
        return try? Job(record: value)
    }

    /// The subject for display: the job's file, otherwise the record's position.
    var subject: String {
        job?.source.raw.file.description ?? "\(letter.topic)/\(letter.partition) at \(letter.offset)"
    }

    private static let jobTopics: Set = [Topics.interactiveJobs, Topics.bulkJobs, Topics.retry]

    /// Passes every dead letter of a cluster to a closure, oldest first, one in memory at a time. Skips letters of a
    /// later version, and returns their number.
    @discardableResult
    static func each(_ transport: any Transport, _ body: (NumberedLetter) throws -> Void) async throws -> Int {
        var unreadable = 0
        try await TopicSnapshot.each(Topics.deadLetter, transport) { delivery in
            guard let value = delivery.record.value, let letter = try? DeadLetter(record: value) else {
                unreadable += 1
                return
            }
            try body(
                NumberedLetter(number: delivery.position.offset, letter: letter, headers: delivery.record.headers))
        }
        return unreadable
    }
}
