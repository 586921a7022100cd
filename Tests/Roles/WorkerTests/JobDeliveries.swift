import Broker
import Digest
import Jobs
import Manifests
import Records
import Testing

@testable import Worker

/// A delivery of a job. Calls with the same number make the same job, each time in another batch.
///
/// - Parameter file: the RAW's name; jobs with the same name have one RAW and different recipes. Nil for a unique RAW.
func delivery(
    _ number: Int, _ queue: JobQueueKind = .bulk, failures: UInt32 = 0, notBefore: Int64 = 0,
    runsAlone: Bool = false, file: String? = nil
) throws -> JobDelivery {
    let path = try #require(RelativePath("IMG_\(file ?? "\(number)").dng"))
    let root = try #require(RootName("archive"))
    let raw = FileStamp(
        file: FileReference(root: root, path: path), sizeBytes: file == nil ? UInt64(number) : 1, modifiedNanoseconds: 1
    )
    let look = try #require(LookReference(name: "neutral", version: 1, digest: SHA256Value(of: [1])))
    let job = Job(
        batch: .random(), source: Source(raw: raw, photoBase: path.bytes),
        recipe: Recipe(look: look, quality: file == nil ? Recipe.usualQuality : UInt32(number)))
    let position = Position(
        partition: TopicPartition(topic: queue.topic, partition: 0), offset: Int64(number))
    let brokerDelivery = Delivery(
        record: Record(key: [], value: job.encoded()), position: position, timestampMilliseconds: 0)
    return JobDelivery(
        brokerDelivery: brokerDelivery, queue: queue, job: job, failures: failures, notBefore: notBefore, epoch: 0,
        runsAlone: runsAlone)
}
