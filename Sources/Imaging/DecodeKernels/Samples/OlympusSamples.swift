public import PictureFormat
internal import PixelKernels

/// Olympus's compressed 12-bit ORF: one stream. A sample's number of bits depends on earlier samples of its columns.
/// Its prediction uses the sample two columns to the left, the one two rows above, or both (dcraw, D. Coffin,
/// `olympus_load_raw`).
///
/// A code has three parts: a sign and the two lowest bits; the high bits as a unary count or, after twelve zeros, a
/// plain number; and the bits between. Even and odd columns each keep the last size, its mean, and how long it was
/// small; each row starts anew. The position of a code depends on the code before it, so nothing can be read ahead. But
/// codes and predictions form two dependency chains, which a processor executes in parallel.
public struct OlympusSamples {
    /// The longest code: sign, two bits, twelve zeros, and sixteen bits.
    private static let maxBits = 31
    /// Exclusive upper bound of samples.
    private static let limit: UInt16 = 1 << 12

    private let bytes: UnsafeRawBufferPointer
    private let visible: PixelSize
    private let target: SliceTarget
    private let slice: PlaneSlice

    /// Proves that rows lie inside the plane and consist of pairs of samples.
    ///
    /// - Parameters:
    ///   - bytes: the stream and everything after it; must stay valid until `unpack()` returns.
    ///   - visible: samples of a row, an even number, and rows. The stream also has the samples to the right, but not
    ///     the rows below; all these become 0.
    ///   - target: one slice of whole rows.
    public init?(_ bytes: UnsafeRawBufferPointer, visible: PixelSize, target: SliceTarget) {
        guard target.slices.count == 1, let slice = target.slices.first, slice.width % 2 == 0,
            target.visibleCount(slice.width, x: slice.x) == slice.width,
            visible.width % 2 == 0, visible.width >= 2, visible.width <= slice.width, visible.height >= 1,
            visible.height <= slice.height
        else { return nil }
        self.bytes = bytes
        self.visible = visible
        self.target = target
        self.slice = slice
    }

    /// Writes all samples to the target. Other threads see them after `StreamingStores.fence()`.
    ///
    /// - Returns: false if the data is damaged: a sample of more than 12 bits, or too few bits.
    public func unpack() -> Bool {
        var data = EntropyData()
        data.loadPlain(bytes, slack: slice.width * Self.maxBits / 8 + DifferenceReader.slack)
        let start = UnsafePointer(data.start)
        let end = UInt64(data.count) * 8
        let width = slice.width
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: 2 * width) { rows in
            guard let rows = rows.baseAddress else { return false }
            rows.initialize(repeating: 0, count: 2 * width)
            var position: UInt64 = 0
            for y in 0..<visible.height {
                // This row still holds the row two above.
                let row = rows + (y & 1) * width
                var joinedBits: UInt16 = 0
                position = unpackRow(row, start, position, &joinedBits)
                guard joinedBits < Self.limit, position <= end else { return false }
                StreamingStores.copy(
                    row, to: target.row(slice.y + y) + slice.x, byteCount: width * MemoryLayout<UInt16>.stride)
            }
            for y in visible.height..<slice.height {
                (target.row(slice.y + y) + slice.x).update(repeating: 0, count: width)
            }
            return true
        }
    }

    /// Returns the position after the row.
    @inline(__always)
    private func unpackRow(
        _ row: UnsafeMutablePointer<UInt16>, _ start: UnsafePointer<UInt8>, _ first: UInt64, _ joinedBits: inout UInt16
    ) -> UInt64 {
        var position = first
        var (even, odd) = (Size(), Size())
        var (evenPlace, oddPlace) = (Neighbours(), Neighbours())
        for x in stride(from: 0, to: visible.width, by: 2) {
            let (one, other) = Self.differences(start, &position, &even, &odd)
            let first = evenPlace.sample(one, north: row[x])
            let second = oddPlace.sample(other, north: row[x + 1])
            row[x] = first
            row[x + 1] = second
            joinedBits |= first | second
        }
        for _ in stride(from: visible.width, to: slice.width, by: 2) {
            _ = Self.differences(start, &position, &even, &odd)
        }
        return position
    }

    /// Differences of two columns. One load serves both, except for the longest codes.
    @inline(__always)
    private static func differences(
        _ start: UnsafePointer<UInt8>, _ position: inout UInt64, _ even: inout Size, _ odd: inout Size
    ) -> (Int32, Int32) {
        var bits = DifferenceReader.bits(start, at: position)
        let (first, used) = even.difference(bits)
        position &+= used
        // A load has at least 57 bits.
        if _slowPath(used > 57 - UInt64(maxBits)) {
            bits = DifferenceReader.bits(start, at: position)
        } else {
            bits = bits &<< used
        }
        let (second, usedThen) = odd.difference(bits)
        position &+= usedThen
        return (first, second)
    }

    /// Size statistics of a row's even or odd columns.
    private struct Size {
        private var last: Int32 = 0
        private var mean: Int32 = 0
        /// Consecutive small sizes.
        private var smallOnes: Int32 = 0

        /// The next difference and its bits, at most `maxBits`.
        @inline(__always)
        mutating func difference(_ bits: UInt64) -> (difference: Int32, used: UInt64) {
            // Noise would mispredict branches.
            let extra = (smallOnes &- 3) &>> 31 & 2
            let lastBits = Int32(
                truncatingIfNeeded: UInt16.bitWidth &- UInt16(truncatingIfNeeded: last).leadingZeroBitCount)
            let count = UInt64(truncatingIfNeeded: max(2 &+ extra, lastBits &- extra))
            let sign = Int32(truncatingIfNeeded: Int64(bitPattern: bits) &>> 63)
            let low = Int32(truncatingIfNeeded: bits &>> 61) & 3
            let zeros = UInt64(truncatingIfNeeded: (bits &<< 3).leadingZeroBitCount)
            var (high, used) = (zeros, zeros &+ 4)
            if _slowPath(zeros >= 12) {
                // An escaped number: 15 bits minus those below, plus one bit.
                let length = 16 &- count
                high = length == 0 ? 0 : ((bits &<< 15) &>> (64 &- length)) &>> 1
                used = 15 &+ length
            }
            let below = (bits &<< used) &>> (64 &- count)
            last = Int32(truncatingIfNeeded: high &<< count | below)
            let difference = (last ^ sign) &+ mean
            mean = (difference &* 3 &+ mean) &>> 5
            smallOnes = (smallOnes &+ 1) & ~((16 &- last) &>> 31)
            return (difference &<< 2 | low, used &+ count)
        }
    }

    /// Neighbours of the next sample in a row's even or odd columns. Outside the picture they are 0, so that the other
    /// neighbour is the prediction.
    private struct Neighbours {
        private var west: Int32 = 0
        private var northWest: Int32 = 0

        @inline(__always)
        mutating func sample(_ difference: Int32, north: UInt16) -> UInt16 {
            let north = Int32(north)
            let fromWest = west &- northWest
            let fromNorth = north &- northWest
            // All ones or zero. A sample between both neighbours is on a slope.
            let isBetween = (fromWest &* fromNorth) &>> 31
            let isFlat = (max(abs(fromWest), abs(fromNorth)) &- 33) &>> 31
            let isWestEdge = (abs(fromNorth) &- abs(fromWest)) &>> 31
            let slope = Self.select(isFlat, (west &+ north) &>> 1, west &+ fromNorth)
            let predicted = Self.select(isBetween, slope, Self.select(isWestEdge, west, north))
            let sample = UInt16(truncatingIfNeeded: predicted &+ difference)
            northWest = north
            west = Int32(sample)
            return sample
        }

        @inline(__always)
        private static func select(_ mask: Int32, _ chosen: Int32, _ other: Int32) -> Int32 {
            other ^ mask & (chosen ^ other)
        }
    }
}
