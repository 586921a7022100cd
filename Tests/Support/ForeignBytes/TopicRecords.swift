import Jobs
import Manifests
import Records

/// Records of every topic, and of the pipe between a worker and its render processes. A valid record survives a round
/// trip.
struct TopicRecords: ForeignReader {
    let name = "records"

    func read(_ bytes: [UInt8]) throws {
        var refusal: (any Error)?
        var isRead = false
        for kind in Self.kinds {
            do {
                try kind(bytes)
                isRead = true
            } catch {
                refusal = error
            }
        }
        if let refusal, !isRead { throw refusal }
    }

    private typealias Kind = @Sendable ([UInt8]) throws -> Void

    private static let kinds: [Kind] = [
        kind({ try Job(record: $0) }) { [$0.encoded()] },
        kind({ try Manifest(record: $0) }) { [$0.encoded()] },
        kind({ try JobResults(record: $0) }) { $0.records() },
        kind({ try DeadLetter(record: $0) }) { [$0.encoded()] },
        kind({ try Control(record: $0) }) { [$0.encoded()] },
        kind({ try WorkerStatus(record: $0) }) { [$0.encoded()] },
        kind({ try BatchStatus(record: $0) }) { [$0.encoded()] },
        kind({ try CoordinatorStatus(record: $0) }) { [$0.encoded()] },
        kind({ try RootStatus(record: $0) }) { [$0.encoded()] },
        kind({ try RenderMessage(record: $0) }) { [$0.encoded()] },
        kind({ try RenderAnswer(record: $0) }) { [$0.encoded()] },
        kind({ try RenderRequest(record: $0) }) { [$0.encoded()] },
        kind({ try RenderProcessOptions(record: $0) }) { [$0.encoded()] },
        kind({ try MetadataReply(record: $0) }) { [$0.encoded()] },
        kind({ try RenderInquiryAnswer(record: $0, limit: .max) }) { [$0.encoded()] },
    ]

    /// - Parameter write: returns several records if one cannot hold all.
    private static func kind<Value>(
        _ read: @escaping @Sendable ([UInt8]) throws -> Value, _ write: @escaping @Sendable (Value) -> [[UInt8]]
    ) -> Kind {
        { bytes in
            for written in write(try read(bytes)) {
                guard let again = try? read(written) else {
                    preconditionFailure("a written \(Value.self) cannot be read again")
                }
                precondition(write(again) == [written], "\(Value.self) changes when it is read and written again")
            }
        }
    }
}
