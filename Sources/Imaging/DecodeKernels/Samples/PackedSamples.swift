internal import PixelKernels
internal import Pixels

/// Uncompressed samples: 16 bits in either byte order, or fewer bits packed from the left (DNG 1.4, chapter 2). Every
/// row starts on a whole byte.
public struct PackedSamples {
    private let bytes: UnsafeRawBufferPointer
    private let bits: Int
    private let isLittleEndian: Bool
    private let target: SliceTarget

    /// Proves that there are bytes for every row of the target.
    ///
    /// - Parameters:
    ///   - bytes: must stay valid until `unpack()` returns.
    ///   - bits: bits per sample, 1 to 16.
    ///   - isLittleEndian: the byte order of 16-bit samples.
    ///   - target: destination of the samples.
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
        let done = unpackFours(row, to: samples, count: count)
        var held: UInt64 = 0
        var heldBits = 0
        var offset = done * bits / 8
        let mask = UInt64(1) << UInt64(bits) - 1
        for x in done..<count {
            while heldBits < bits {
                held = held << 8 | UInt64(row[offset])
                heldBits += 8
                offset += 1
            }
            heldBits -= bits
            samples[x] = UInt16(truncatingIfNeeded: held >> UInt64(heldBits) & mask)
        }
    }

    /// Unpacks four samples at a time if they are whole bytes and fit in one load: 2, 4, … 14 bits. Returns the number
    /// unpacked, a multiple of four; the last samples of a row remain if a load would pass the end.
    private func unpackFours(
        _ row: UnsafeRawBufferPointer, to samples: UnsafeMutablePointer<UInt16>, count: Int
    ) -> Int {
        guard bits % 2 == 0, bits <= 14, let start = row.baseAddress, row.count >= 8 else { return 0 }
        let bytesTogether = bits / 2
        let fours = min(count / 4, (row.count - 8) / bytesTogether + 1)
        let width = UInt64(bits)
        let mask = UInt16(truncatingIfNeeded: 1 &<< width &- 1)
        for index in 0..<fours {
            let loaded = (start + index &* bytesTogether).loadUnaligned(as: UInt64.self)
            let four = UInt64(bigEndian: loaded)
            let target = samples + 4 &* index
            target[0] = UInt16(truncatingIfNeeded: four &>> (64 &- width)) & mask
            target[1] = UInt16(truncatingIfNeeded: four &>> (64 &- 2 &* width)) & mask
            target[2] = UInt16(truncatingIfNeeded: four &>> (64 &- 3 &* width)) & mask
            target[3] = UInt16(truncatingIfNeeded: four &>> (64 &- 4 &* width)) & mask
        }
        return 4 * fours
    }
}
