/// The arithmetic of `DetailLimits` on rows of squares of 2 × 2 pixels, in fixed-point roots of 14 bits.
///
/// Results for a column's pixels are shared. Scratch rows are a constant distance apart, because a loop over more than
/// a few unrelated pointers is not vectorised: each pair would need an overlap check.
final class DetailKernel {
    typealias Row = UnsafePointer<Int16>
    typealias Target = UnsafeMutablePointer<Int16>

    /// A row of pixels in two halves: left and right pixels of the squares.
    struct Halves {
        let left: Row
        let right: Row
    }

    /// Squares per pass.
    private static let piece = 480
    /// Distance of scratch rows: a piece, one square at either end, and whole cache lines.
    private static let distance = 512
    /// Index of a piece's first square in a scratch row.
    private static let first = 16

    private let limits: DetailLimits
    /// For left and then right columns: half the sum of the pixels above and below, and the smallest and largest of the
    /// three.
    private let columns: Target

    init(_ limits: DetailLimits) {
        self.limits = limits
        let count = 6 * Self.distance
        columns = UnsafeMutableRawPointer.allocate(byteCount: 2 * count, alignment: 64)
            .bindMemory(to: Int16.self, capacity: count)
        columns.initialize(repeating: 0, count: count)
    }

    deinit { columns.deallocate() }

    /// Changes a row of pixels. `above`, `own` and `below` are read from one index before the range to one after it.
    /// Values change by the result minus the pixel's own root, within 0…16,383. With `areOwn` they are the own roots,
    /// which `values` need not contain before.
    func apply(
        above: Halves, own: Halves, below: Halves, to values: (left: Target, right: Target), areOwn: Bool = false,
        _ range: Range<Int>
    ) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.piece) {
            let count = min(Self.piece, range.upperBound - start)
            let left = columns + Self.first
            let right = left + 3 * Self.distance
            Self.gather(above.left + start, own.left + start, below.left + start, into: left, -1..<count + 1)
            Self.gather(above.right + start, own.right + start, below.right + start, into: right, -1..<count + 1)
            // A left pixel's right neighbours are in the previous square and in its own; a right pixel's left
            // neighbours are in its own square and the next.
            let (ownLeft, ownRight) = (own.left + start, own.right + start)
            let (valuesLeft, valuesRight) = (values.left + start, values.right + start)
            // With literals, the loop has no branch.
            if areOwn {
                change(ownLeft, beside: ownRight - 1, left, right - 1, valuesLeft, areOwn: true, count)
                change(ownRight, beside: ownLeft, right, left, valuesRight, areOwn: true, count)
            } else {
                change(ownLeft, beside: ownRight - 1, left, right - 1, valuesLeft, areOwn: false, count)
                change(ownRight, beside: ownLeft, right, left, valuesRight, areOwn: false, count)
            }
        }
    }

    private static func gather(_ above: Row, _ own: Row, _ below: Row, into column: Target, _ range: Range<Int>) {
        for x in range {
            let (u, c, d) = (above[x], own[x], below[x])
            column[x] = (u &+ d) &>> 1
            column[x + distance] = min(min(u, d), c)
            column[x + 2 * distance] = max(max(u, d), c)
        }
    }

    /// `neighbours` has the pixel before each one, followed by the one after it. `column` are columns of the pixels,
    /// `beside` of the neighbours.
    @inline(__always)
    private func change(
        _ own: Row, beside neighbours: Row, _ column: Target, _ beside: Target, _ values: Target, areOwn: Bool,
        _ count: Int
    ) {
        let (limit, bendEnd, bend) = (limits.limit, limits.bendEnd, limits.bend)
        let (shadowEnd, slope) = (limits.shadowEnd, limits.shadowSlope)
        let (amplification, removal, overshoot) = (limits.amplification, limits.removal, limits.overshoot)
        let (rangeWidth, rangeShift) = (limits.rangeWidth, limits.rangeShift)
        let (least, most, top) = (Self.distance, 2 * Self.distance, Int16(FixedPointRoots.max))
        for x in 0..<count {
            let c = own[x]
            // Sums of two have 15 bits.
            let sides = (column[x] &+ (neighbours[x] &+ neighbours[x + 1]) &>> 1) &>> 1
            let corners = (beside[x] &+ beside[x + 1]) &>> 1
            let detail = (c &- sides) &+ (c &- corners) &>> 1
            // A constant bound would become a branch and prevent vectorisation.
            let below = Self.positive(bendEnd &- c) &<< 1
            let noiseLimit =
                limit &+ Self.high(Self.high(below, below) &<< 2, bend)
                &+ Self.high(Self.positive(shadowEnd &- c) &<< 2, slope)
            let noise = min(max(detail, 0 &- noiseLimit), noiseLimit)
            let excess = detail &- noise
            let explained = noise &- min(max(excess, 0 &- noiseLimit), noiseLimit)
            let lower = min(column[x + least], min(beside[x + least], beside[x + 1 + least]))
            let upper = max(column[x + most], max(beside[x + most], beside[x + 1 + most]))
            // Surroundings that differ by more than noise are texture.
            let room = noiseLimit &- noiseLimit &>> 2 &+ rangeWidth &- (upper &- lower)
            let smoothness = min(Self.positive(room), rangeWidth) &<< rangeShift
            // In quarters, to prevent overflow.
            let change = Self.high(excess, amplification) &- Self.high(explained, Self.high(smoothness, removal))
            let bounded =
                min(max(change, (lower &- overshoot &- c) &>> 2), (upper &+ overshoot &- c) &>> 2) &<< 2
            let value = areOwn ? c : values[x]
            values[x] = value &+ max(min(bounded, top &- value), 0 &- value)
        }
    }

    /// Green from a sample and green minus the sample, within 0…16,383.
    static func add(_ sample: Row, _ difference: Row, into green: Target, _ range: Range<Int>) {
        for x in range { green[x] = min(max(sample[x] &+ difference[x], 0), 16_383) }
    }

    /// Replaces a negative number with 0, by masking with its sign.
    @inline(__always)
    private static func positive(_ number: Int16) -> Int16 { number & ~(number &>> 15) }

    /// The upper half of a 32-bit product.
    @inline(__always)
    private static func high(_ a: Int16, _ b: Int16) -> Int16 {
        Int16(truncatingIfNeeded: (Int32(a) &* Int32(b)) &>> 16)
    }
}
