import Compression
import SeededRandom
import Testing

/// Compared with zlib, which `Inflater` uses.
struct StreamInflaterTests {
    private static let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }

    @Test("Streams of all sizes are inflated completely, one after another, also with trailing bytes")
    func roundTrip() throws {
        let inflater = try StreamInflater()
        var random = SeededGenerator(seed: 1)
        for count in [0, 1, 2, 7, 255, 256, 5000, 70_000, 300_000] {
            let isNoise = count % 2 == 0
            let content = (0..<count).map {
                isNoise ? UInt8.random(in: .min ... .max, using: &random) : UInt8($0 / 9 % 7)
            }
            let stream = try Deflater.zlib(content)
            #expect(try inflate(stream, count, inflater) == content)
            #expect(try inflate(stream + [1, 2, 3], count, inflater) == content)
        }
    }

    @Test("A stream of another size is refused, and the next one is read")
    func sizes() throws {
        let inflater = try StreamInflater()
        let stream = try Deflater.zlib(Self.content)
        for count in [0, 1, 4999, 5001, 100_000] {
            #expect(throws: CompressionError.wrongSize(expected: count)) { try inflate(stream, count, inflater) }
            #expect(try inflate(stream, 5000, inflater) == Self.content)
        }
    }

    @Test("Every truncation, and a wrong checksum, are refused")
    func damage() throws {
        let inflater = try StreamInflater()
        let stream = try Deflater.zlib(Self.content)
        for end in stream.indices {
            #expect(throws: CompressionError.self) { try inflate(Array(stream[..<end]), 5000, inflater) }
        }
        var wrong = stream
        wrong[wrong.count - 1] ^= 1
        for count in [5000, 5001] {
            #expect(throws: CompressionError.damaged) { try inflate(wrong, count, inflater) }
        }
        #expect(throws: CompressionError.damaged) { try inflate([], 0, inflater) }
    }

    @Test("Damaged streams give zlib's result, or both fail", arguments: 0..<20 as Range<UInt64>)
    func asZlib(seed: UInt64) throws {
        let inflater = try StreamInflater()
        var random = SeededGenerator(seed: seed)
        let content = (0..<2000).map { place -> UInt8 in
            let (coarse, fine) = (place / 13 % 5, place / 7 % 11)
            return UInt8(9 * coarse + fine)
        }
        let stream = seed % 2 == 0 ? try Deflater.zlib(content) : Self.searched
        #expect(try inflate(stream, content.count, inflater) == content)
        var refused = 0
        for _ in 0..<500 {
            var damaged = stream
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<(Bool.random(using: &random) ? 60 : stream.count), using: &random)
                damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            let found = try? inflate(damaged, content.count, inflater)
            #expect(found == (try? Inflater.inflate([0..<damaged.count], of: damaged, count: content.count)))
            if found == nil { refused += 1 }
        }
        #expect(refused > 450)
    }

    /// The same content by zlib's level 9, with all kinds of matches; `Deflater` only finds runs.
    private static let searched = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(digits.dropFirst($0).prefix(2), radix: 16)
    }
    private static let digits =
        "78da4d94db565a41100521601083825c22e688221e1422e4ff3f2fd3d56bafddf5d60f332fb56a0f063084bb5fc92cd86c7e"
        + "274f8dfd7eff9e1c0e87efc625b95ea7c15d3298d66b9d6ce0f52dd907e7f3df247e9a4c26b7497bba6cac923c74ad77f09a"
        + "9c9233dcfc4c26c162f198c4dbaeeb5e923c74ed769fc157721ac34d324f16f0fc2789b75ddf1f933c74b58f7e3446c9787c"
        + "1f3c24f32d3c271f490fd77f0987040ce3270998cdda4712d0d86e2520f89000900090005c4a003625009b12804d09c09f04"
        + "80048004e05202b02901d89400fc4900970480048004e05202b02901f893002e09c0a60480048004e05202f027015c12804d"
        + "09c0a60480048004e05202b02901d894006c4a00362500a635a055bd24009b12804d09c0a604607359035ad64b02702901d8"
        + "94006c4a0036bb12d0b2ab97048004e05202b02901d8ecfb92535fae4f0900090009c0a504605302b0e93d1b129373f29e35"
        + "bc673169979293f72c629a969cbc671b62724edeb386f72c266d5572f29e454cbb9293f7ec4c4ccec97bd6f09ec5a4bd949c"
        + "bc6711d3b8e4e43d5b109373f29e35bc673169a39293f72c62da969cbc673d313927ef59c37b1693f65472f29e454c979293"
        + "f76c404ccec97bd6f09ec5a47d979cbc67f45372f29ead89c93979cf1adeb398b41a90f78ca3e4e43d3b119373f29e35ba1a"
        + "d0b15edeb388695472f29ecd89c93979cf8eff0123dfb2ab"

    private func inflate(_ stream: [UInt8], _ count: Int, _ inflater: StreamInflater) throws -> [UInt8] {
        var output = [UInt8](repeating: 0xA5, count: count)
        try stream.withUnsafeBytes { stream in
            try output.withUnsafeMutableBytes { try inflater.inflate(stream, into: $0) }
        }
        return output
    }
}
