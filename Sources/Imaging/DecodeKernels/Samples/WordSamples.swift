internal import PixelKernels

/// Samples of 12 bits, packed from the highest bit of little-endian words of 32 on: some of Olympus's ORF without compression.
public struct WordSamples {
    /// Samples in three words.
    private static let together = 8
    private static let bytesTogether = 12

    private let bytes: UnsafeRawBufferPointer
    private let target: SliceTarget
    private let slice: PlaneSlice

    /// Proves that rows are whole words inside the plane, and that there are bytes for all of them.
    ///
    /// - Parameters:
    ///   - bytes: must stay in place until `unpack()` was called.
    ///   - target: one slice of whole rows.
    public init?(_ bytes: UnsafeRawBufferPointer, target: SliceTarget) {
        guard target.slices.count == 1, let slice = target.slices.first, slice.width % Self.together == 0,
            target.visibleCount(slice.width, x: slice.x) == slice.width,
            bytes.count >= slice.width / Self.together * Self.bytesTogether * slice.height
        else { return nil }
        self.bytes = bytes
        self.target = target
        self.slice = slice
    }

    /// Writes all samples to the target.
    public func unpack() {
        guard let start = bytes.baseAddress else { return }
        let count = slice.width / Self.together
        for y in 0..<slice.height {
            let row = target.row(slice.y + y) + slice.x
            let words = start + y * count * Self.bytesTogether
            for index in 0..<count {
                Self.unpack(words + index &* Self.bytesTogether, to: row + index &* Self.together)
            }
        }
    }

    @inline(__always)
    private static func unpack(_ words: UnsafeRawPointer, to samples: UnsafeMutablePointer<UInt16>) {
        let first = UInt32(littleEndian: words.loadUnaligned(as: UInt32.self))
        let second = UInt32(littleEndian: words.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        let third = UInt32(littleEndian: words.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        let high = UInt64(first) &<< 32 | UInt64(second)
        let low = UInt64(second) &<< 32 | UInt64(third)
        for index in 0..<5 {
            samples[index] = UInt16(truncatingIfNeeded: high &>> (52 &- 12 &* UInt64(index))) & 0xfff
        }
        for index in 0..<3 {
            samples[5 &+ index] = UInt16(truncatingIfNeeded: low &>> (24 &- 12 &* UInt64(index))) & 0xfff
        }
    }
}
