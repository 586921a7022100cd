import PictureFormat
import Pixels

/// Bits, highest first.
struct CameraBits {
    private var bytes: [UInt8] = []
    private var held = 0
    private var heldBits = 0

    mutating func put(_ bits: Int, _ count: Int) {
        held = held << count | bits
        heldBits += count
        while heldBits >= 8 {
            heldBits -= 8
            bytes.append(UInt8(truncatingIfNeeded: held >> heldBits))
        }
        held &= 1 << heldBits - 1
    }

    /// The bits of a difference as in lossless JPEG: a leading 0 makes it negative.
    mutating func putDifference(_ difference: Int, _ size: Int) {
        put(difference < 0 ? difference + 1 << size - 1 : difference, size)
    }

    mutating func finish() -> [UInt8] {
        if heldBits > 0 { put(0, 8 - heldBits) }
        return bytes
    }

    /// Packs samples into 32-bit little-endian words, from the highest bit.
    static func words(_ plane: borrowing Plane<UInt16>, bits: Int) -> [UInt8] {
        var writer = CameraBits()
        for y in 0..<plane.height { for x in 0..<plane.width { writer.put(Int(plane.row(y)[x]), bits) } }
        let bytes = writer.finish()
        return bytes.indices.map { bytes[$0 & ~3 | 3 - $0 & 3] }
    }
}
