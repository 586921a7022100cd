import CCubic
import SeededRandom
import Testing

/// The vector loops of a warp against its formula, sample by sample. As each level's build runs these tests, all levels
/// agree.
@Suite("Kernels of warps") struct WarpKernelTests {
    private static let (cell, stride, margin) = (Int(RAWMILL_CELL), 640, 128)
    private static let width = 320
    private static let cells = width / cell

    /// The value at a place in 65,536ths of a sample between `p[1]` and `p[2]`.
    private static func value(_ p: [Int], _ place: Int) -> Int {
        let t = place >> 1
        var both = (place * (65_535 - place)) >> 16
        both += (both >> 2) + (both >> 3)
        let (a, b) = ((both * (32_767 - t)) >> 16, (both * t) >> 16)
        let (linear, before) = (2 * (p[2] - p[1]) * t, (2 * p[1] - p[0] - p[2]) * a)
        let behind = (2 * p[2] - p[1] - p[3]) * b
        return p[1] + (linear >> 16) + (before >> 16) + (behind >> 16)
    }

    /// A sample's offset, interpolated between the given ones.
    private static func offset(_ offsets: [Int32], _ x: Int) -> Int {
        let (point, rest) = (x / 8, x % 8)
        return Int(offsets[point]) + rest * (Int(offsets[point + 1] - offsets[point]) >> 3)
    }

    /// Place of a sample in a stretched row: even samples are the first half of their cell.
    private static func split(_ x: Int) -> Int { x - x % cell + x % 2 * (cell / 2) + x % cell / 2 }

    private static func offsets(_ random: inout SeededGenerator, step: Int32) -> [Int32] {
        var offset = Int32.random(in: -1_000_000...1_000_000, using: &random)
        return (0...width / 8).map { _ in
            offset = min(max(offset + Int32.random(in: -step...step, using: &random), -1_300_000), 1_300_000)
            return offset
        }
    }

    @Test(
        "Rows are stretched by the formula, for any change of offsets", arguments: 0..<30,
        [(1, 0), (1, 1), (3, 1)] as [(Int32, Int32)])
    func stretch(seed: Int, form: (channels: Int32, isSplit: Int32)) {
        let (channels, isSplit) = form
        var random = SeededGenerator(seed: UInt64(seed))
        let offsets = Self.offsets(&random, step: [6000, 60_000, 400_000][seed % 3])
        var source = (0..<3 * Self.stride + Self.margin).map { _ in Int16.random(in: 0...16_383, using: &random) }
        for channel in 0..<3 {
            let start = channel * Self.stride + Self.margin
            for x in 0..<Self.margin {
                source[start - 1 - x] = source[start]
                source[start + Self.width + x] = source[start + Self.width - 1]
            }
        }
        var target = [Int16](repeating: 0, count: 3 * Self.stride)
        source.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            rawmill_stretch(
                start + Self.margin, Self.stride, Self.width, offsets, Self.cells, &target, Self.stride, channels,
                isSplit)
        }
        for channel in 0..<Int(channels) {
            for x in 0..<Self.width {
                let place = Self.offset(offsets, x)
                let samples = (-1...2).map { step in
                    let column = min(max(x + (place >> 16) + step, 0), Self.width - 1)
                    return Int(source[channel * Self.stride + Self.margin + column])
                }
                let truth = min(max(Self.value(samples, place & 65_535), 0), 16_383)
                let found = target[channel * Self.stride + (isSplit == 0 ? x : Self.split(x))]
                #expect(Int(found) == truth, "seed \(seed), column \(x)")
            }
        }
    }

    @Test("Columns are stretched by the formula, from rows in any order", arguments: 0..<30, [1, 3] as [Int32])
    func bend(seed: Int, channels: Int32) {
        var random = SeededGenerator(seed: UInt64(seed))
        let offsets = Self.offsets(&random, step: [6000, 60_000, 400_000][seed % 3])
        let height = 50
        let order = (0..<height).shuffled(using: &random)
        let beyond = Int(RAWMILL_ROWS_BEYOND)
        let places = (-beyond..<height + beyond).map { order[min(max($0, 0), height - 1)] * 3 * Self.stride }
        let source = (0..<3 * Self.stride * height).map { _ in Int16.random(in: 0...16_383, using: &random) }
        let (y, first, end) = (seed % height, 1, Self.cells - 1)
        var (even, odd) = ([Int16](repeating: 0, count: 3 * Self.stride), [Int16](repeating: 0, count: 3 * Self.stride))
        rawmill_bend(
            source, Self.stride, places, y, height, offsets, first, end, &even, &odd, Self.stride, channels)
        for channel in 0..<Int(channels) {
            for x in Self.cell * first..<Self.cell * end {
                let place = Self.offset(offsets, x)
                let samples = (-1...2).map { step in
                    let row = min(max(y + (place >> 16) + step, -1), height)
                    return Int(source[places[row + beyond] + channel * Self.stride + Self.split(x)])
                }
                let found = (x & 1 == 0 ? even : odd)[channel * Self.stride + (x - Self.cell * first) / 2]
                #expect(Int(found) == Self.value(samples, place & 65_535), "seed \(seed), column \(x)")
            }
        }
    }

    @Test("Columns of ordered samples are stretched by the formula, and bounded", arguments: 0..<30)
    func bendInOrder(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let offsets = Self.offsets(&random, step: [6000, 60_000, 400_000][seed % 3])
        let height = 50
        let order = (0..<height).shuffled(using: &random)
        let beyond = Int(RAWMILL_ROWS_BEYOND)
        let places = (-beyond..<height + beyond).map { order[min(max($0, 0), height - 1)] * Self.stride }
        // Only extremes, so that values exceed the range.
        let source = (0..<Self.stride * height).map { _ in Bool.random(using: &random) ? Int16(0) : 16_383 }
        let y = seed % height
        var target = [Int16](repeating: 0, count: Self.stride)
        rawmill_bend_in_order(source, places, y, height, offsets, Self.cells, &target)
        for x in 0..<Self.width {
            let place = Self.offset(offsets, x)
            let samples = (-1...2).map { step in
                Int(source[places[min(max(y + (place >> 16) + step, -1), height) + beyond] + x])
            }
            let truth = min(max(Self.value(samples, place & 65_535), 0), 16_383)
            #expect(Int(target[x]) == truth, "seed \(seed), column \(x)")
        }
    }
}
