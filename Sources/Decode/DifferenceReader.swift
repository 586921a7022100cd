/// Reads differences from entropy-coded bits. It never looks further than the slack behind its data as long as its
/// owner asks `isBeyondEnd` after each row and the slack holds a row.
///
/// A value type whose long way round is taken by value: so its parts stay in registers.
struct DifferenceReader {
    /// At most so many bytes go into one sample: a code and its bits.
    static let mostBytesPerSample = 4
    /// The refill loads eight bytes at once.
    static let slack = 16

    private let start: UnsafePointer<UInt8>
    private let count: Int
    private var next: UnsafePointer<UInt8>
    /// Bits not yet used, from the left, and how many are sure to be there.
    private var held: UInt64 = 0
    private var heldBits: UInt64 = 0
    /// Not 0 once a code was met that is in no table.
    private var unknownCodes: UInt64 = 0

    init(_ data: borrowing EntropyData) {
        start = UnsafePointer(data.start)
        next = start
        count = data.count
    }

    private var usedBits: Int { (next - start) * 8 - Int(heldBits) }

    var isBeyondEnd: Bool { usedBits > count * 8 }

    var metUnknownCode: Bool { unknownCodes != 0 }

    /// True where all that no sample used is padding: the bits that fill the last byte, a byte more that some writers
    /// flush, or a stretch of zeros or ones.
    var isSpent: Bool {
        let used = (usedBits + 7) / 8
        guard used + 1 < count else { return true }
        let rest = UnsafeBufferPointer(start: start + used, count: count - used)
        return rest.allSatisfy { $0 == 0 } || rest.allSatisfy { $0 == 0xff }
    }

    /// Fills up to at least 56 bits.
    @inline(__always)
    mutating func refill() {
        let word = UInt64(bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
        held |= word &>> heldBits
        next += Int(truncatingIfNeeded: (63 &- heldBits) &>> 3)
        heldBits |= 56
    }

    /// The next difference. Two may be taken after one refill: a code of the window's length and its bits are at most
    /// 28 bits, and longer codes refill for themselves.
    @inline(__always)
    mutating func difference(_ entries: UnsafePointer<UInt32>, _ table: DifferenceTable) -> Int32 {
        let entry = entries[Int(truncatingIfNeeded: held &>> UInt64(64 - DifferenceTable.window))]
        guard entry & DifferenceTable.isLong == 0 else { return longDifference(entry, table) }
        drop(UInt64(truncatingIfNeeded: entry & 0x7f))
        return Int32(bitPattern: entry) &>> 16
    }

    /// A difference whose code is in the table and whose bits are not.
    @inline(__always)
    private mutating func longDifference(_ entry: UInt32, _ table: DifferenceTable) -> Int32 {
        guard entry & 0xff != DifferenceTable.isUnknown else {
            let (after, difference) = afterLongCode(table)
            self = after
            return difference
        }
        drop(UInt64(truncatingIfNeeded: entry & 0x7f))
        // 1 to 15 bits; a first bit of 0 means a negative difference.
        let category = UInt64(truncatingIfNeeded: entry &>> 8)
        let value = Int32(truncatingIfNeeded: held &>> (64 &- category))
        let least: Int32 = held &>> 63 == 0 ? 1 &- (1 &<< Int32(truncatingIfNeeded: category)) : 0
        drop(category)
        return value &+ least
    }

    @inline(__always)
    private mutating func drop(_ bits: UInt64) {
        held = held &<< bits
        heldBits &-= bits
    }

    /// A difference whose code is longer than the table's window.
    @inline(never)
    private func afterLongCode(_ table: DifferenceTable) -> (DifferenceReader, Int32) {
        var reader = self
        reader.refill()
        let category = reader.takeLongCategory(table)
        let bits = category == 16 && !table.sixteenHasBits ? 0 : category
        let value = bits == 0 ? 0 : Int(truncatingIfNeeded: reader.held >> (64 - bits))
        reader.drop(bits)
        reader.refill()
        return (reader, Int32(truncatingIfNeeded: DifferenceTable.difference(Int(category), value)))
    }

    private mutating func takeLongCategory(_ table: DifferenceTable) -> UInt64 {
        for length in 1...16 {
            let code = Int(truncatingIfNeeded: held >> UInt64(64 - length))
            guard code < table.endCode[length] else { continue }
            let place = code + table.categoryShift[length]
            guard table.categories.indices.contains(place) else { break }
            drop(UInt64(length))
            return UInt64(table.categories[place])
        }
        unknownCodes += 1
        drop(1)
        return 0
    }
}
