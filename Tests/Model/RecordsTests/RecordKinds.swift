import Jobs
import Manifests
import Records
import SeededRandom
import Testing

/// A kind of record, for tests of every kind.
struct RecordKind: Sendable, CustomTestStringConvertible {
    let name: String
    /// In Proto/rawmill/v1.
    let file: String
    /// Random bytes of a valid record.
    let valid: @Sendable (inout SeededGenerator) -> [UInt8]
    /// Whether a random value survives a round trip.
    let roundTrips: @Sendable (inout SeededGenerator) throws -> Bool
    /// Reads bytes and writes the result.
    let rewrite: @Sendable ([UInt8]) throws(RecordError) -> [UInt8]
    let limit: Int

    init<Value: Equatable & SendableMetatype>(
        _ name: String, in file: String = "rawmill.proto", limit: Int = 64 * 1024,
        make: @escaping @Sendable (inout SeededGenerator) -> Value,
        write: @escaping @Sendable (Value) -> [UInt8],
        read: @escaping @Sendable ([UInt8]) throws(RecordError) -> Value
    ) {
        self.name = name
        self.file = file
        self.limit = limit
        valid = { write(make(&$0)) }
        roundTrips = {
            let value = make(&$0)
            return try read(write(value)) == value
        }
        rewrite = { bytes throws(RecordError) in write(try read(bytes)) }
    }

    var testDescription: String { name }

    static let all: [RecordKind] = records + inquiries

    /// The messages of those processes of the render program that do not render.
    static let inquiries: [RecordKind] = [
        RecordKind(
            "MetadataRequest", in: "render_program.proto", limit: 128, make: { $0.metadataQuestions() },
            write: { $0.encoded() }
        ) { b throws(RecordError) in try MetadataQuestions(record: b) },
        RecordKind(
            "MetadataReply", in: "render_program.proto", limit: 128 * 1024, make: { $0.metadataReply() },
            write: { $0.encoded() }
        ) { b throws(RecordError) in try MetadataReply(record: b) },
        RecordKind(
            "RenderInquiry", in: "render_program.proto", limit: 1 << 20, make: { $0.renderInquiry() },
            write: { $0.encoded() }
        ) { b throws(RecordError) in try RenderInquiry(record: b, limit: 1 << 20) },
        RecordKind(
            "RenderInquiryAnswer", in: "render_program.proto", limit: 1 << 20, make: { $0.renderInquiryAnswer() },
            write: { $0.encoded() }
        ) { b throws(RecordError) in try RenderInquiryAnswer(record: b, limit: 1 << 20) },
    ]

    private static let records: [RecordKind] = [
        RecordKind("Job", make: { $0.job() }, write: { $0.encoded() }) { b throws(RecordError) in try Job(record: b) },
        RecordKind("Manifest", make: { $0.manifest() }, write: { $0.encoded() }) { b throws(RecordError) in
            try Manifest(record: b)
        },
        // A few results fit into one record.
        RecordKind("JobResults", make: { $0.jobResults() }, write: { $0.records().last ?? [] }) {
            b throws(RecordError) in
            try JobResults(record: b)
        },
        RecordKind("DeadLetter", limit: 128 * 1024, make: { $0.deadLetter() }, write: { $0.encoded() }) {
            b throws(RecordError) in try DeadLetter(record: b)
        },
        RecordKind("Control", make: { $0.control() }, write: { $0.encoded() }) { b throws(RecordError) in
            try Control(record: b)
        },
        RecordKind("WorkerStatus", make: { $0.status() }, write: { $0.encoded() }) { b throws(RecordError) in
            try WorkerStatus(record: b)
        },
        RecordKind("BatchStatus", make: { $0.batchStatus() }, write: { $0.encoded() }) { b throws(RecordError) in
            try BatchStatus(record: b)
        },
        RecordKind("CoordinatorStatus", make: { $0.coordinatorStatus() }, write: { $0.encoded() }) {
            b throws(RecordError) in try CoordinatorStatus(record: b)
        },
        RecordKind("RootStatus", make: { $0.rootStatus() }, write: { $0.encoded() }) { b throws(RecordError) in
            try RootStatus(record: b)
        },
        RecordKind("RenderMessage", limit: 1 << 20, make: { $0.renderMessage() }, write: { $0.encoded() }) {
            b throws(RecordError) in try RenderMessage(record: b)
        },
        RecordKind("RenderAnswer", limit: 1 << 20, make: { $0.renderAnswer() }, write: { $0.encoded() }) {
            b throws(RecordError) in try RenderAnswer(record: b)
        },
        RecordKind(
            "RenderRequest", limit: 1 << 20,
            make: {
                RenderRequest(
                    job: $0.job(), threads: $0.integer(0...64), hasLookTable: Bool.random(using: &$0),
                    hasLensTable: Bool.random(using: &$0), hasCameraProfiles: Bool.random(using: &$0))
            },
            write: { $0.encoded() }
        ) { b throws(RecordError) in try RenderRequest(record: b) },
        RecordKind("RenderProcessOptions", limit: 1 << 20, make: { $0.renderOptions() }, write: { $0.encoded() }) {
            b throws(RecordError) in try RenderProcessOptions(record: b)
        },
    ]
}
