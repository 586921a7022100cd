internal import PixelKernels
internal import Pixels

/// Samples without compression: 16 bits each in either byte order, or fewer and packed from the left (DNG 1.4,
/// chapter 2). Every row begins on a whole byte.
public struct PackedSamples {
    private let bytes: UnsafeRawBufferPointer
    private let bits: Int
    private let isLittleEndian: Bool
    private let target: SliceTarget

    /// Proves that there are bytes for every row of the target.
    ///
    /// - Parameters:
    ///   - bytes: must stay in place until `unpack()` was called.
    ///   - bits: of a sample, 1 to 16.
    ///   - isLittleEndian: the byte order of samples of 16 bits.
    ///   - target: where the samples go.
    public init?(_ bytes: UnsafeRawBufferPointer, bits: Int, isLittleEndian: Bool, target: SliceTarget) {
        guard (1...16).contains(bits) else { return nil }
        var needed = 0
        for slice in target.slices { needed += Self.rowByteCount(slice.width, bits) * slice.height }
        guard bytes.count >= needed else { return nil }
        self.bytes = bytes
        self.bits = bits
        self.isLittleEndian = isLittleEndian
        self.target = target
    }

    private static func rowByteCount(_ samples: Int, _ bits: Int) -> Int { (samples * bits + 7) / 8 }

    /// Writes all samples to the target.
    public func unpack() {
        var offset = 0
        for slice in target.slices {
            let rowByteCount = Self.rowByteCount(slice.width, bits)
            let count = target.visibleCount(slice.width, x: slice.x)
            for y in slice.y..<slice.y + slice.height {
                let row = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + rowByteCount])
                if bits == 16 {
                    copyWhole(row, to: target.row(y) + slice.x, count: count)
                } else {
                    unpackBits(row, to: target.row(y) + slice.x, count: count)
                }
                offset += rowByteCount
            }
        }
    }

    private func copyWhole(_ row: UnsafeRawBufferPointer, to samples: UnsafeMutablePointer<UInt16>, count: Int) {
        guard let start = row.baseAddress else { return }
        guard isLittleEndian != (UInt16(1).littleEndian == 1) else {
            return StreamingStores.copy(start, to: samples, byteCount: 2 * count)
        }
        for x in 0..<count {
            let stored = (start + 2 * x).loadUnaligned(as: UInt16.self)
            samples[x] = isLittleEndian ? UInt16(littleEndian: stored) : UInt16(bigEndian: stored)
        }
    }

    private func unpackBits(_ row: UnsafeRawBufferPointer, to samples: UnsafeMutablePointer<UInt16>, count: Int) {
        var held: UInt64 = 0
        var heldBits = 0
        var offset = 0
        let mask = UInt64(1) << UInt64(bits) - 1
        for x in 0..<count {
            while heldBits < bits {
                held = held << 8 | UInt64(row[offset])
                heldBits += 8
                offset += 1
            }
            heldBits -= bits
            samples[x] = UInt16(truncatingIfNeeded: held >> UInt64(heldBits) & mask)
        }
    }
}
