internal import PixelKernels

/// Sony's compressed ARW (version 2): blocks of 16 bytes with 16 samples of one colour, every other sample of a row.
///
/// A block has its maximum and minimum in 11 bits, their places in 4 bits each, and 7 bits for every other sample: its
/// distance above the minimum, in steps of 1, 2, 4, 8 or 16 according to the range (dcraw, D. Coffin,
/// `sony_arw2_load_raw`). A block with one place for both needs another value, which it takes from the row's next
/// block.
public struct SonyBlockSamples {
    private static let samplesPerBlock = 16
    private static let values = 1 << 11
    private static let valueMask: UInt64 = 0x7ff
    private static let firstDifferenceBit: UInt64 = 30

    private let bytes: UnsafeRawBufferPointer
    private let curve: [UInt16]
    private let target: SliceTarget
    private let slice: PlaneSlice

    /// Proves that there is a byte for each sample, that rows are whole pairs of blocks inside the plane, and that the
    /// curve has an entry for each value.
    ///
    /// - Parameters:
    ///   - bytes: one byte per sample, row by row; must stay valid until `unpack()` returns.
    ///   - curve: the sample for each of 2,048 values.
    ///   - target: one slice of whole rows.
    public init?(_ bytes: UnsafeRawBufferPointer, curve: [UInt16], target: SliceTarget) {
        guard target.slices.count == 1, let slice = target.slices.first, curve.count == Self.values,
            slice.width % (2 * Self.samplesPerBlock) == 0, target.visibleCount(slice.width, x: slice.x) == slice.width,
            bytes.count >= slice.width * slice.height
        else { return nil }
        self.bytes = bytes
        self.curve = curve
        self.target = target
        self.slice = slice
    }

    /// Writes all samples to the target. Other threads see them after `StreamingStores.fence()`.
    public func unpack() {
        guard let start = bytes.baseAddress else { return }
        let width = slice.width
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: width) { row in
            curve.withUnsafeBufferPointer { curve in
                guard let samples = row.baseAddress, let curve = curve.baseAddress else { return }
                for y in 0..<slice.height {
                    unpackRow(start + y * width, to: samples, curve)
                    StreamingStores.copy(
                        samples, to: target.row(slice.y + y) + slice.x, byteCount: width * MemoryLayout<UInt16>.stride)
                }
            }
        }
    }

    @inline(__always)
    private func unpackRow(
        _ row: UnsafeRawPointer, to samples: UnsafeMutablePointer<UInt16>, _ curve: UnsafePointer<UInt16>
    ) {
        let last = slice.width / Self.samplesPerBlock - 1
        for index in 0..<last {
            let block = row + index * Self.samplesPerBlock
            let next = block.load(fromByteOffset: Self.samplesPerBlock, as: UInt8.self)
            Self.unpack(block, followedBy: next, to: Self.place(index, samples), curve)
        }
        Self.unpack(row + last * Self.samplesPerBlock, followedBy: 0, to: Self.place(last, samples), curve)
    }

    /// Unpacks a pair of blocks: even columns, then odd ones.
    @inline(__always)
    private static func place(
        _ block: Int, _ samples: UnsafeMutablePointer<UInt16>
    ) -> UnsafeMutablePointer<UInt16> { samples + block / 2 * 2 * samplesPerBlock + block % 2 }

    @inline(__always)
    private static func unpack(
        _ block: UnsafeRawPointer, followedBy next: UInt8, to samples: UnsafeMutablePointer<UInt16>,
        _ curve: UnsafePointer<UInt16>
    ) {
        let first = UInt64(littleEndian: block.loadUnaligned(as: UInt64.self))
        let second = UInt64(littleEndian: block.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        let greatest = first & valueMask
        let least = first &>> 11 & valueMask
        let greatestPlace = Int(truncatingIfNeeded: first &>> 22 & 15)
        let leastPlace = Int(truncatingIfNeeded: first &>> 26 & 15)
        let range = Int64(greatest) &- Int64(least)
        let shift: UInt64 =
            (range >= 0x80 ? 1 : 0) &+ (range >= 0x100 ? 1 : 0) &+ (range >= 0x200 ? 1 : 0)
            &+ (range >= 0x400 ? 1 : 0)
        // Differences, with gaps for the maximum and minimum.
        var bits = DifferenceBits(
            low: first &>> firstDifferenceBit | second &<< (64 - firstDifferenceBit),
            high: second &>> firstDifferenceBit | UInt64(next) &<< (64 - firstDifferenceBit))
        bits.makeGap(at: min(greatestPlace, leastPlace))
        if greatestPlace != leastPlace { bits.makeGap(at: max(greatestPlace, leastPlace)) }
        // Nine 7-bit numbers, then seven.
        let head = bits.low
        let tail = bits.low &>> 63 | bits.high &<< 1
        for index in 0..<9 {
            let value = (head &>> UInt64(7 &* index) & 0x7f) &<< shift &+ least
            samples[2 &* index] = curve[Int(truncatingIfNeeded: min(value, valueMask))]
        }
        for index in 0..<7 {
            let value = (tail &>> UInt64(7 &* index) & 0x7f) &<< shift &+ least
            samples[2 &* (9 &+ index)] = curve[Int(truncatingIfNeeded: min(value, valueMask))]
        }
        samples[2 &* leastPlace] = curve[Int(truncatingIfNeeded: least)]
        samples[2 &* greatestPlace] = curve[Int(truncatingIfNeeded: greatest)]
    }

    /// Up to eighteen 7-bit numbers.
    private struct DifferenceBits {
        var low: UInt64
        var high: UInt64

        /// Moves number `index`, at most the sixteenth, and all after it by one place.
        @inline(__always)
        mutating func makeGap(at index: Int) {
            let place = 7 * index
            let lowMoved = low & (UInt64.max << UInt64(place))
            let highMoved = high & (UInt64.max << UInt64(max(place - 64, 0)))
            high = high ^ highMoved | highMoved &<< 7 | lowMoved &>> 57
            low = low ^ lowMoved | lowMoved &<< 7
        }
    }
}
