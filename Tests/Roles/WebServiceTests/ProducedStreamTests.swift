import Synchronization
import Testing
import Web

@testable import WebService

struct ProducedStreamTests {
    private struct Mishap: Error {}

    private func all(_ stream: ProducedStream, limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while let part = stream.next(limit: limit) { bytes += part }
        stream.close()
        return bytes
    }

    @Test("All written bytes arrive in order, however small the pieces that the client takes")
    func whole() {
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for limit in [1 << 14, 100_000, 77] {
            let stream = ProducedStream(onError: { Issue.record("\($0)") }) { sink in
                for start in stride(from: 0, to: content.count, by: 10_000) {
                    try sink(Array(content[start..<min(start + 10_000, content.count)]))
                }
                try sink([])
            }
            #expect(all(stream, limit: limit) == content)
            #expect(!stream.hasFailed)
        }
    }

    @Test("A stream that ends early is incomplete, and the cause is reported")
    func failed() {
        let errors = Mutex(0)
        let stream = ProducedStream(onError: { _ in errors.withLock { $0 += 1 } }) { sink in
            try sink([1, 2, 3])
            throw Mishap()
        }
        #expect(all(stream, limit: 10) == [1, 2, 3])
        #expect(stream.hasFailed && errors.withLock { $0 } == 1)
    }

    @Test("A client that leaves ends the writing", .timeLimit(.minutes(1)))
    func left() {
        let stream = ProducedStream(onError: { Issue.record("\($0)") }) { sink in
            while true { try sink([UInt8](repeating: 0, count: 1000)) }
        }
        #expect(stream.next(limit: 10)?.count == 10)
        stream.close()
    }
}
