import Pixels
import Testing

@testable import Decode
@testable import DecodeKernels
@testable import Samples

/// Lossless JPEGs with a Huffman table for each component, as written by Adobe.
@Suite struct ComponentTablesTests {
    static let shapes = [
        LosslessJPEGEncoder.Shape(width: 64, height: 40, components: 2),
        LosslessJPEGEncoder.Shape(width: 300, height: 12, components: 2),
        LosslessJPEGEncoder.Shape(width: 32, height: 40, components: 4),
        LosslessJPEGEncoder.Shape(width: 48, height: 40, components: 3),
        LosslessJPEGEncoder.Shape(width: 1, height: 60, components: 3),
    ]

    @Test(
        "Two alternating tables, and one for each of three components, are decoded by the fast path", arguments: 2...4)
    func isFast(components: Int) throws {
        let jpeg = Self.jpeg(.init(width: 64, height: 8, components: components), seed: 1)
        try LosslessScans.with(jpeg, count: 1) { scans, _ in
            #expect(scans[0].fastForm == FastRowDecoder.Form(components: components, alternates: true))
        }
    }

    @Test("The fast path gives the written samples, alone and in step", arguments: shapes, [1, 6])
    func samples(shape: LosslessJPEGEncoder.Shape, count: Int) throws {
        let jpeg = Self.jpeg(shape, seed: 2)
        let found = try LosslessScans.decode(jpeg, count: count, .fast)
        #expect(found == (0..<count).flatMap { _ in Self.samples(shape, seed: 2) })
    }

    @Test("Three components with one table are decoded by the fast path", arguments: [1, 6])
    func oneTable(count: Int) throws {
        let shape = LosslessJPEGEncoder.Shape(width: 50, height: 20, components: 3)
        let jpeg = Self.jpeg(shape, seed: 4, sharing: true)
        try LosslessScans.with(jpeg, count: 1) { scans, _ in #expect(scans[0].fastForm != nil) }
        let found = try LosslessScans.decode(jpeg, count: count, .fast)
        #expect(found == (0..<count).flatMap { _ in Self.samples(shape, seed: 4) })
    }

    @Test("Damaged data has the same result in the fast and the generic path", arguments: shapes)
    func damage(shape: LosslessJPEGEncoder.Shape) throws {
        var random = SplitMix64(seed: 7)
        let jpeg = Self.jpeg(shape, seed: 3)
        let start = try jpeg.withUnsafeBytes { try LosslessJPEGHeader($0).dataOffset }
        var damaged = 0
        for _ in 0..<300 {
            var bytes = jpeg
            let place = start + Int(random.next() % UInt64(bytes.count - start))
            bytes[place] = UInt8(truncatingIfNeeded: random.next())
            if random.next() % 4 == 0 { bytes.removeLast(Int(random.next() % 40)) }
            let plain = try LosslessScans.decode(bytes, count: 1, .generic)
            #expect(try LosslessScans.decode(bytes, count: 1, .fast) == plain)
            let six = try LosslessScans.decode(bytes, count: 6, .fast)
            #expect(six == plain.map { plain in (0..<6).flatMap { _ in plain } })
            damaged += plain == nil ? 1 : 0
        }
        #expect(damaged > 20)
    }

    /// Noise with a few leaps, so that each component has categories of all lengths, in different proportions.
    private static func samples(_ shape: LosslessJPEGEncoder.Shape, seed: UInt64) -> [UInt16] {
        var random = SplitMix64(seed: seed)
        return (0..<shape.samplesPerRow * shape.height).map { index in
            let range: UInt64 = random.next() % 500 == 0 ? 16384 : index % 2 == 0 ? 40 : 600
            return UInt16(truncatingIfNeeded: 700 + random.next() % range) & 16383
        }
    }

    private static func jpeg(_ shape: LosslessJPEGEncoder.Shape, seed: UInt64, sharing: Bool = false) -> [UInt8] {
        let samples = samples(shape, seed: seed)
        let encoder = LosslessJPEGEncoder(shape: shape, precision: 14, predictor: 1)
        var frequencies = encoder.frequenciesByComponent(samples)
        if sharing {
            let code = HuffmanCode(
                adobeFrequencies: frequencies.reduce([Int](repeating: 0, count: 17)) { zip($0, $1).map(+) })
            return encoder.encode(samples, tables: [code])
        }
        // With four components, every other one shares its table.
        for component in 2..<max(2, shape.components == 4 ? 4 : 2) {
            let joined = zip(frequencies[component], frequencies[component - 2]).map(+)
            (frequencies[component], frequencies[component - 2]) = (joined, joined)
        }
        return encoder.encode(samples, tables: frequencies.map { HuffmanCode(adobeFrequencies: $0) })
    }
}
