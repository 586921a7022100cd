/// Reads differences from entropy-coded bits. It never looks further than the slack behind its data as long as its
/// owner asks `isBeyondEnd` before a row that could use it up.
struct DifferenceReader {
    /// At most so many bytes go into one sample: a code and its bits.
    static let mostBytesPerSample = 4
    /// The refill loads eight bytes at once.
    static let slack = 16

    private var next: UnsafePointer<UInt8>
    private let start: UnsafePointer<UInt8>
    private let count: Int
    /// Bits not yet used, from the left.
    private var held: UInt64 = 0
    private var heldBits = 0
    /// A code met that is in no table.
    private(set) var metUnknownCode = false

    init(_ data: borrowing EntropyData) {
        start = UnsafePointer(data.start)
        next = start
        count = data.count
    }

    private var usedBits: Int { (next - start) * 8 - heldBits }

    var isBeyondEnd: Bool { usedBits > count * 8 }

    /// Whole bytes of the scan that no sample used.
    var leftBytes: Int { (count * 8 - usedBits) / 8 }

    /// Fills up to at least 56 bits.
    @inline(__always)
    mutating func refill() {
        let word = UInt64(bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
        held |= word >> UInt64(truncatingIfNeeded: heldBits)
        next += (63 - heldBits) >> 3
        heldBits |= 56
    }

    /// The next difference. Two may be taken after one refill.
    @inline(__always)
    mutating func difference(_ entries: UnsafePointer<UInt32>, _ table: borrowing DifferenceTable) -> Int32 {
        let entry = entries[Int(truncatingIfNeeded: held >> UInt64(64 - DifferenceTable.window))]
        guard entry & DifferenceTable.isLong == 0 else { return longDifference(entry, table) }
        drop(Int(truncatingIfNeeded: entry & 0x7f))
        return Int32(bitPattern: entry) >> 16
    }

    @inline(__always)
    private mutating func drop(_ bits: Int) {
        held <<= UInt64(truncatingIfNeeded: bits)
        heldBits -= bits
    }

    @inline(never)
    private mutating func longDifference(_ entry: UInt32, _ table: borrowing DifferenceTable) -> Int32 {
        refill()
        let category: Int
        if entry & 0xff == DifferenceTable.isUnknown {
            guard let found = longCategory(table) else {
                metUnknownCode = true
                drop(1)
                refill()
                return 0
            }
            category = found
        } else {
            category = Int(entry >> 8 & 0xff)
            drop(Int(entry & 0x7f))
        }
        let bits = category == 16 && !table.sixteenHasBits ? 0 : category
        let value = bits == 0 ? 0 : Int(truncatingIfNeeded: held >> UInt64(64 - bits))
        drop(bits)
        refill()
        return Int32(truncatingIfNeeded: DifferenceTable.difference(category, value))
    }

    private mutating func longCategory(_ table: borrowing DifferenceTable) -> Int? {
        for length in DifferenceTable.window + 1...16 {
            let code = Int(truncatingIfNeeded: held >> UInt64(64 - length))
            guard code < table.endCode[length] else { continue }
            let place = code + table.categoryShift[length]
            guard table.categories.indices.contains(place) else { return nil }
            drop(length)
            return Int(table.categories[place])
        }
        return nil
    }
}
