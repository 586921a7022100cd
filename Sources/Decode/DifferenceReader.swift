/// Reads differences from entropy-coded bits. It never looks further than the slack behind its data as long as its
/// owner asks `isBeyondEnd` after each row and the slack holds a row.
///
/// A value type that loops take and give back by value: so its parts stay in registers.
struct DifferenceReader {
    /// At most so many bytes go into one sample: a code and its bits.
    static let mostBytesPerSample = 4
    /// The refill loads eight bytes at once.
    static let slack = 16

    private let start: UnsafePointer<UInt8>
    private let count: Int
    private var next: UnsafePointer<UInt8>
    /// Bits not yet used, from the left.
    private var held: UInt64 = 0
    /// In the lowest six bits how many of them are sure to be there; what is above has no meaning.
    private var heldBits: UInt64 = 0
    /// Not 0 once a code was met that is in no table.
    private var unknownCodes: UInt64 = 0

    init(_ data: borrowing EntropyData) {
        start = UnsafePointer(data.start)
        next = start
        count = data.count
    }

    private var usedBits: Int { (next - start) * 8 - Int(heldBits & 63) }

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

    /// Fills up to at least 56 bits (after Fabian Giesen, "Reading bits in far too many ways", 2018, variant 4).
    @inline(__always)
    mutating func refill() {
        let word = UInt64(bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
        held |= word &>> heldBits
        next += Int(truncatingIfNeeded: ((63 &- heldBits) & 63) &>> 3)
        heldBits |= 56
    }

    /// The next difference in the lower half of the result; the upper has no meaning. Two may be taken after one
    /// refill, as a code of the window's length and its bits are at most 28 bits.
    ///
    /// - Parameter met: collects `DifferenceTable.isRare`: then nothing was taken, and this and all later results are
    ///   worth nothing.
    @inline(__always)
    mutating func difference(_ entries: UnsafePointer<UInt32>, met: inout UInt32) -> UInt32 {
        let entry = entries[Int(truncatingIfNeeded: held &>> UInt64(64 - DifferenceTable.window))]
        met |= entry
        let bits = UInt64(truncatingIfNeeded: entry)
        let value = UInt32(truncatingIfNeeded: held &>> (0 &- bits))
        held = held &<< bits
        heldBits &-= bits
        return value &+ entry &>> 16
    }

    /// The next difference, of any kind.
    mutating func anyDifference(_ table: DifferenceTable) -> UInt32 {
        refill()
        var met: UInt32 = 0
        var usual = self
        let difference = table.entries.withUnsafeBufferPointer {
            $0.baseAddress.map { usual.difference($0, met: &met) }
        }
        if let difference, met & DifferenceTable.isRare == 0 {
            self = usual
            return difference
        }
        return rareDifference(table)
    }

    private mutating func rareDifference(_ table: DifferenceTable) -> UInt32 {
        let category = takeCategory(table)
        let bits = category == 16 && !table.sixteenHasBits ? 0 : category
        let value = bits == 0 ? 0 : Int(truncatingIfNeeded: held >> UInt64(64 - bits))
        drop(bits)
        return DifferenceTable.difference(category, value)
    }

    private mutating func takeCategory(_ table: DifferenceTable) -> Int {
        for length in 1...16 {
            let code = Int(truncatingIfNeeded: held >> UInt64(64 - length))
            guard code < table.endCode[length] else { continue }
            let place = code + table.categoryShift[length]
            guard table.categories.indices.contains(place) else { break }
            drop(length)
            return Int(table.categories[place])
        }
        unknownCodes += 1
        drop(1)
        return 0
    }

    private mutating func drop(_ bits: Int) {
        held = held &<< UInt64(bits)
        heldBits &-= UInt64(bits)
    }
}
