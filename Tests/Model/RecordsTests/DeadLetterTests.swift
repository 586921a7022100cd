import Jobs
import Manifests
import Records
import Testing

@Suite("Dead letters")
struct DeadLetterTests {
    @Test("A dead letter of any record can be sent and read; keys and values beyond Rawmill's own sizes are cut")
    func fits() throws {
        for bytes in [0, 100, 70_000, 1 << 20] {
            let letter = DeadLetter(
                topic: "rawmill.jobs.bulk", partition: 3, offset: 9, key: [UInt8](repeating: 1, count: bytes),
                value: [UInt8](repeating: 2, count: bytes),
                failure: Failure(.malformedRecord, String(repeating: "long ", count: 2000)), attempts: 0, worker: "w",
                parkedMilliseconds: 5)
            let record = letter.encoded()
            #expect(record.count + letter.key.count + 1024 <= RecordLimit.deadLetter)
            let read = try DeadLetter(record: record)
            #expect(read.key == letter.key && read.value == letter.value)
            #expect(read.value?.count == min(bytes, DeadLetter.maxValueBytes))
        }
    }
}
