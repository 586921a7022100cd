import Pixels
import SeededRandom
import Testing

@testable import DevelopKernels

/// The vectorised loop equals per-pixel computation in numbers that cannot overflow.
@Suite("Arithmetic of detail")
struct DetailKernelTests {
    private static let width = 1000

    /// A pixel by the definition of `DetailLimits`.
    ///
    /// - Parameter around: three rows of three roots, with the pixel's own in the middle.
    private static func expected(_ around: [[Int]], value: Int, _ limits: DetailLimits) -> Int {
        let c = around[1][1]
        let all = around.flatMap { $0 }
        let columns = (0..<3).map { (around[0][$0] + around[2][$0]) >> 1 }
        let sides = (columns[1] + (around[1][0] + around[1][2]) >> 1) >> 1
        let corners = (columns[0] + columns[2]) >> 1
        let detail = (c - sides) + (c - corners) >> 1
        let (below, shadow) = (max(Int(limits.bendEnd) - c, 0) * 2, max(Int(limits.shadowEnd) - c, 0))
        let bent = (((below * below) >> 16) * 4 * Int(limits.bend)) >> 16
        let limit = Int(limits.limit) + bent + (shadow * 4 * Int(limits.shadowSlope)) >> 16
        let noise = min(max(detail, -limit), limit)
        let excess = detail - noise
        let explained = noise - min(max(excess, -limit), limit)
        let room = limit - limit >> 2 + Int(limits.rangeWidth) - (all.max()! - all.min()!)
        let share = ((min(max(room, 0), Int(limits.rangeWidth)) << Int(limits.rangeShift)) * Int(limits.removal)) >> 16
        let change = (excess * Int(limits.amplification)) >> 16 - (explained * share) >> 16
        let (lower, upper) = (all.min()! - Int(limits.overshoot), all.max()! + Int(limits.overshoot))
        let bounded = min(max(change, (lower - c) >> 2), (upper - c) >> 2) << 2
        return min(max(value + bounded, 0), Int(FixedPointRoots.max))
    }

    /// Roots of all sizes: smooth, noisy and extreme.
    private static func rows(_ random: inout SeededGenerator) -> [[Int16]] {
        let kind = Int.random(in: 0..<4, using: &random)
        let base = Int.random(in: 0...16_383, using: &random)
        let spread = Int.random(in: 1...2000, using: &random)
        return (0..<3).map { _ in
            (0..<2 * width + 4).map { _ in
                switch kind {
                case 0: Int16.random(in: 0...16_383, using: &random)
                case 1: Bool.random(using: &random) ? 0 : 16_383
                default: Int16(min(max(base + Int.random(in: -spread...spread, using: &random), 0), 16_383))
                }
            }
        }
    }

    @Test("Random rows, including the ends of their range")
    func parity() throws {
        var random = SeededGenerator()
        let settings: [(sharpening: Float, deviation: Float, reduction: Float, clip: [Float])] = [
            (0.5, 0.0025, 0, [2, 1, 1.5]), (1, 0.0001, 0, [1]), (1, 0.5, 1, [1]), (0, 0.02, 1, [1, 1, 1]),
            (0.3, 0.01, 0.5, [16]), (1, 0.99, 1, [0.01]), (1, 0.1, 1, [1000]),
        ]
        for setting in settings {
            let limits = try #require(
                DetailLimits(
                    sharpening: setting.sharpening, deviation: setting.deviation, noiseReduction: setting.reduction,
                    clip: setting.clip))
            for _ in 0..<8 {
                let rows = Self.rows(&random)
                let values = (0..<2 * Self.width).map { _ in Int16.random(in: 0...16_383, using: &random) }
                let found = Self.changed(values, rows, limits)
                for x in 0..<2 * Self.width {
                    let around = rows.map { row in row[x + 1...x + 3].map { Int($0) } }
                    let expected = Self.expected(around, value: Int(values[x]), limits)
                    #expect(Int(found[x]) == expected, "column \(x), \(setting), seed \(random.seed)")
                    if Int(found[x]) != expected { return }
                }
            }
        }
    }

    /// - Parameter rows: two columns wider at each side than the values.
    private static func changed(_ values: [Int16], _ rows: [[Int16]], _ limits: DetailLimits) -> [Int16] {
        let scratch = Int16ScratchRows(rows: 8, count: width)
        func split(_ row: [Int16], _ index: Int) -> DetailKernel.Halves {
            let (left, right) = (scratch.row(index), scratch.row(index + 1))
            for x in -1...width {
                left[x] = row[2 * x + 2]
                right[x] = row[2 * x + 3]
            }
            return .init(left: UnsafePointer(left), right: UnsafePointer(right))
        }
        let (left, right) = (scratch.row(6), scratch.row(7))
        for x in 0..<width { (left[x], right[x]) = (values[2 * x], values[2 * x + 1]) }
        DetailKernel(limits).apply(
            above: split(rows[0], 0), own: split(rows[1], 2), below: split(rows[2], 4), to: (left, right), 0..<width)
        return (0..<2 * width).map { $0 & 1 == 0 ? left[$0 / 2] : right[$0 / 2] }
    }

    @Test("Without work there are no limits, and no setting gives numbers out of range")
    func limits() {
        func limits(_ sharpening: Float, _ deviation: Float, _ reduction: Float) -> DetailLimits? {
            DetailLimits(sharpening: sharpening, deviation: deviation, noiseReduction: reduction, clip: [2, 1, 1.5])
        }
        #expect(limits(0, 0.01, 0) == nil)
        for wrong in [Float.nan, .infinity, -1, 0, 1] { #expect(limits(1, wrong, 1) == nil) }
        #expect(limits(.nan, 0.01, .nan) == nil)
        #expect(limits(7, 0.01, 9) == limits(1, 0.01, 1))
    }
}
