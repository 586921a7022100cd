import ExternalTools
import Pixels
import Testing

@testable import Decode
@testable import DecodeKernels
@testable import Samples

/// One long stream decoded at several positions at once, compared with a single reader.
@Suite struct DifferenceStreamTests {
    /// Distribution of the differences.
    enum Kind: CaseIterable {
        case noise, flat, leaps, changing
    }

    static let shapes = [
        LosslessJPEGEncoder.Shape(width: 500, height: 260, components: 2),
        LosslessJPEGEncoder.Shape(width: 1000, height: 70, components: 4),
        LosslessJPEGEncoder.Shape(width: 901, height: 401, components: 2),
    ]

    @Test("A long scan gives the written samples", arguments: shapes, Kind.allCases)
    func samples(shape: LosslessJPEGEncoder.Shape, kind: Kind) throws {
        let samples = Self.samples(shape, kind)
        let jpeg = Self.jpeg(shape, samples)
        #expect(try LosslessScans.decode(jpeg, count: 1, .fast) == samples)
    }

    @Test("Damaged data has the same result as with one reader", arguments: Kind.allCases)
    func damage(kind: Kind) throws {
        let shape = Self.shapes[0]
        var random = SplitMix64(seed: 9)
        let jpeg = Self.jpeg(shape, Self.samples(shape, kind))
        let start = try jpeg.withUnsafeBytes { try LosslessJPEGHeader($0).dataOffset }
        for _ in 0..<30 {
            var bytes = jpeg
            for _ in 0..<Int(1 + random.next() % 3) {
                let place = start + Int(random.next() % UInt64(bytes.count - start))
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            if random.next() % 4 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count / 3))) }
            let streamed = try LosslessScans.decode(bytes, count: 1, .fast)
            #expect(try streamed == LosslessScans.decode(bytes, count: 1, .generic))
        }
    }

    @Test("Random bytes are read as by one reader", arguments: Requirement.rounds(8))
    func randomBytes(seed: UInt64) throws {
        let shape = Self.shapes[0]
        var random = SplitMix64(seed: seed)
        let jpeg = Self.jpeg(shape, Self.samples(shape, .leaps))
        let start = try jpeg.withUnsafeBytes { try LosslessJPEGHeader($0).dataOffset }
        let bytes = jpeg[..<start] + (0..<1 << 20).map { _ in UInt8(truncatingIfNeeded: random.next() % 255) }
        // A sample out of range would end the scan at once.
        var table: DifferenceTable?
        try bytes.withUnsafeBytes { memory in
            var cache = HuffmanTableCache(sixteenHasBits: false)
            table = try cache.tables(LosslessJPEGHeader(memory).tables)?.first
        }
        let count = 300_000
        var data = EntropyData()
        bytes[start...].withUnsafeBytes { data.load($0, slack: DifferenceStream.slack) }
        let found = try #require(table)
        var reader = DifferenceReader(data)
        var stream = DifferenceStream(data, found, count: count)
        var differences = [UInt16](repeating: 0, count: count)
        let isRead = stream.read(count, into: &differences)
        let expected = (0..<count).map { _ in UInt16(truncatingIfNeeded: reader.anyDifference(found)) }
        #expect(isRead == !reader.metUnknownCode)
        if isRead { #expect(differences == expected) }
    }

    private static func samples(_ shape: LosslessJPEGEncoder.Shape, _ kind: Kind) -> [UInt16] {
        var random = SplitMix64(seed: 4)
        let count = shape.samplesPerRow * shape.height
        return (0..<count).map { index in
            let range: UInt64 =
                switch kind {
                case .noise: 300
                case .flat: index % 1000 == 0 ? 2 : 1
                case .leaps: random.next() % 50 == 0 ? 16384 : 20
                case .changing: 2 + UInt64(index * 4000 / count)
                }
            return UInt16(truncatingIfNeeded: 900 + random.next() % range) & 16383
        }
    }

    private static func jpeg(_ shape: LosslessJPEGEncoder.Shape, _ samples: [UInt16]) -> [UInt8] {
        let encoder = LosslessJPEGEncoder(shape: shape, precision: 14, predictor: 1)
        var frequencies = [Int](repeating: 0, count: HuffmanCode.symbols)
        encoder.count(samples, into: &frequencies)
        return encoder.encode(samples, tables: [HuffmanCode(frequencies: frequencies)])
    }
}
