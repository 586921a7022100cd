import Pixels

/// Copies 16-bit samples of either byte order; `row` holds at least `count` of them.
func copyWords(
    _ row: UnsafeRawBufferPointer, to samples: UnsafeMutablePointer<UInt16>, count: Int, littleEndian: Bool
) {
    guard let start = row.baseAddress else { return }
    guard littleEndian != (UInt16(1).littleEndian == 1) else {
        return StreamingStores.copy(start, to: samples, byteCount: 2 * count)
    }
    for x in 0..<count {
        let word = (start + 2 * x).loadUnaligned(as: UInt16.self)
        samples[x] = littleEndian ? UInt16(littleEndian: word) : UInt16(bigEndian: word)
    }
}

/// Unpacks samples of 1 to 15 bits, written from the left (DNG 1.4, chapter 2); `row` holds at least `count` of them.
func unpackBits(_ row: UnsafeRawBufferPointer, bits: Int, to samples: UnsafeMutablePointer<UInt16>, count: Int) {
    var held: UInt64 = 0
    var heldBits = 0
    var place = 0
    let mask = UInt64(1) << UInt64(bits) - 1
    for x in 0..<count {
        while heldBits < bits {
            held = held << 8 | UInt64(row[place])
            heldBits += 8
            place += 1
        }
        heldBits -= bits
        samples[x] = UInt16(truncatingIfNeeded: held >> UInt64(heldBits) & mask)
    }
}
