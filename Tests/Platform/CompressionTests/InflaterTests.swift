import Compression
import Testing

struct InflaterTests {
    private static let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }

    @Test("Compressed bytes survive a round trip, read in pieces of any size", arguments: [1, 2, 7, 5000])
    func roundTrip(piece: Int) throws {
        let stream = try Deflater.zlib(Self.content)
        let pieces = stride(from: 0, to: stream.count, by: piece).map { $0..<min($0 + piece, stream.count) }
        #expect(try Inflater.inflate(pieces, of: stream, count: Self.content.count) == Self.content)
        let spread = pieces.flatMap { [$0, $0.upperBound..<$0.upperBound] }
        #expect(try Inflater.inflate(spread, of: stream, count: Self.content.count) == Self.content)
    }

    @Test("A stream of another size is refused, and no part of it is kept")
    func sizes() throws {
        let stream = try Deflater.zlib(Self.content)
        for count in [0, 1, 4999, 5001, 100_000] {
            #expect(throws: CompressionError.wrongSize(expected: count)) {
                try Inflater.inflate([0..<stream.count], of: stream, count: count)
            }
        }
    }

    @Test("Truncated and damaged streams are refused")
    func damage() throws {
        let stream = try Deflater.zlib(Self.content)
        for end in stride(from: 0, to: stream.count, by: 37) {
            #expect(throws: CompressionError.self) {
                try Inflater.inflate([0..<end], of: stream, count: Self.content.count)
            }
        }
        var wrong = stream
        wrong[wrong.count - 1] ^= 1
        #expect(throws: CompressionError.damaged) {
            try Inflater.inflate([0..<wrong.count], of: wrong, count: Self.content.count)
        }
        // Three bytes cannot hold five thousand, so nothing is reserved for them.
        #expect(throws: CompressionError.wrongSize(expected: 5000)) {
            try Inflater.inflate([0..<3], of: stream, count: 5000)
        }
        #expect(throws: CompressionError.damaged) { try Inflater.inflate([], of: [], count: 1) }
        #expect(throws: CompressionError.damaged) { try Inflater.inflate([0..<5], of: [1, 2], count: 1) }
    }
}
