/// Reads differences from entropy-coded bits. It stays within the slack after its data if the owner checks
/// `isBeyondEnd` after each row and the slack is as long as a row.
///
/// Its position is its only state: it reloads bits for every two differences.
struct DifferenceReader {
    /// A 16-bit code and a 16-bit difference.
    static let maxBytesPerSample = 4
    /// More than the eight bytes of a load.
    static let slack = 16

    private let start: UnsafePointer<UInt8>
    private let count: Int
    private var usedBits: UInt64 = 0
    private var unknownCodes = 0

    init(_ data: borrowing EntropyData, at position: UInt64 = 0) {
        start = UnsafePointer(data.start)
        count = data.count
        usedBits = position
    }

    /// A reader without a known end, for a few differences in a loop's rare branch.
    init(_ start: UnsafePointer<UInt8>, at position: UInt64) {
        self.start = start
        count = 0
        usedBits = position
    }

    var position: UInt64 { usedBits }

    /// Continues where another reader of the same data stopped.
    mutating func move(to position: UInt64) { usedBits = position }

    /// Two differences at a position, and their bits; 0 bits if one difference is rare.
    @inline(__always)
    static func pair(
        _ start: UnsafePointer<UInt8>, _ table: DifferenceTable.Lookup, _ position: UInt64
    ) -> (bits: UInt64, UInt16, UInt16) {
        let reader = DifferenceReader(start, at: position)
        let bits = reader.nextBits
        let first = entry(table.entries, bits)
        let rest = bits &<< UInt64(first.length)
        let second = entry(table.entries, rest)
        guard !first.isRare, !second.isRare else { return (0, 0, 0) }
        return (UInt64(first.length) &+ UInt64(second.length), difference(first, bits), difference(second, rest))
    }

    /// Two differences by a table with shifts, and their bits.
    @inline(__always)
    static func shiftedPair(
        _ start: UnsafePointer<UInt8>, _ table: DifferenceTable.Lookup, _ position: UInt64
    ) -> (bits: UInt64, UInt16, UInt16) {
        let reader = DifferenceReader(start, at: position)
        let bits = reader.nextBits
        let first = entry(table.entries, bits)
        let rest = bits &<< first.bits
        let second = entry(table.entries, rest)
        return (first.bits &+ second.bits, shiftedDifference(first, bits), shiftedDifference(second, rest))
    }

    @inline(__always)
    private static func shiftedDifference(_ entry: DifferenceTable.Entry, _ bits: UInt64) -> UInt16 {
        UInt16(truncatingIfNeeded: bits &>> (0 &- entry.bits)) &<< entry.shift &+ entry.constant
    }

    var isBeyondEnd: Bool { usedBits > UInt64(count) * 8 }

    var metUnknownCode: Bool { unknownCodes != 0 }

    /// Whether all unused bits are padding: the rest of the last byte, one more byte that some encoders flush, or only
    /// zeros or ones.
    var isSpent: Bool {
        let used = Int(usedBits + 7) / 8
        guard used + 1 < count else { return true }
        let rest = UnsafeBufferPointer(start: start + used, count: count - used)
        return rest.allSatisfy { $0 == 0 } || rest.allSatisfy { $0 == 0xff }
    }

    /// Left-aligned: at least 57 bits.
    @inline(__always)
    private var nextBits: UInt64 { Self.bits(start, at: usedBits) }

    /// Left-aligned: at least 57 bits.
    @inline(__always)
    static func bits(_ start: UnsafePointer<UInt8>, at position: UInt64) -> UInt64 {
        let loaded = UnsafeRawPointer(start + Int(truncatingIfNeeded: position &>> 3)).loadUnaligned(as: UInt64.self)
        return UInt64(bigEndian: loaded) &<< (position & 7)
    }

    /// The next two differences by one table, without a branch. Stops at a rare difference, which invalidates this and
    /// all later results.
    @inline(__always)
    mutating func twoDifferences(
        _ entries: UnsafePointer<DifferenceTable.Entry>
    ) -> (UInt16, UInt16) {
        let bits = nextBits
        let first = Self.entry(entries, bits)
        let rest = bits &<< UInt64(first.length)
        let second = Self.entry(entries, rest)
        usedBits &+= UInt64(first.length)
        usedBits &+= UInt64(second.length)
        return (Self.difference(first, bits), Self.difference(second, rest))
    }

    /// The next two differences of any kind, each by its own table. The branch is rarely mispredicted, because one
    /// difference in hundreds is rare.
    @inline(__always)
    mutating func twoDifferences(
        _ firstTable: DifferenceTable.Lookup, _ secondTable: DifferenceTable.Lookup
    ) -> (UInt16, UInt16) {
        let bits = nextBits
        let first = Self.entry(firstTable.entries, bits)
        let rest = bits &<< UInt64(first.length)
        let second = Self.entry(secondTable.entries, rest)
        if _slowPath(first.isRare || second.isRare) {
            let (reader, differences) = Self.rarePair(self, firstTable, secondTable)
            self = reader
            return differences
        }
        usedBits &+= UInt64(first.length)
        usedBits &+= UInt64(second.length)
        return (Self.difference(first, bits), Self.difference(second, rest))
    }

    /// Passes values, so that a loop's reader stays in registers.
    @inline(never)
    private static func rarePair(
        _ reader: DifferenceReader, _ first: DifferenceTable.Lookup, _ second: DifferenceTable.Lookup
    ) -> (DifferenceReader, (UInt16, UInt16)) {
        var reader = reader
        let one = UInt16(truncatingIfNeeded: reader.anyDifference(first.table))
        let two = UInt16(truncatingIfNeeded: reader.anyDifference(second.table))
        return (reader, (one, two))
    }

    /// The next difference, with a branch for rare ones.
    @inline(__always)
    mutating func oneDifference(_ table: DifferenceTable.Lookup) -> UInt16 {
        let bits = nextBits
        let entry = Self.entry(table.entries, bits)
        if _slowPath(entry.isRare) {
            let (reader, difference) = Self.rareOne(self, table)
            self = reader
            return difference
        }
        usedBits &+= UInt64(entry.length)
        return Self.difference(entry, bits)
    }

    @inline(never)
    private static func rareOne(
        _ reader: DifferenceReader, _ table: DifferenceTable.Lookup
    ) -> (DifferenceReader, UInt16) {
        var reader = reader
        let difference = UInt16(truncatingIfNeeded: reader.anyDifference(table.table))
        return (reader, difference)
    }

    func isBeforeRare(_ entries: UnsafePointer<DifferenceTable.Entry>) -> Bool { Self.entry(entries, nextBits).isRare }

    @inline(__always)
    private static func entry(
        _ entries: UnsafePointer<DifferenceTable.Entry>, _ bits: UInt64
    ) -> DifferenceTable.Entry {
        entries[Int(truncatingIfNeeded: bits &>> UInt64(64 - DifferenceTable.window))]
    }

    /// - Parameter bits: left-aligned, starting with the entry's code.
    @inline(__always)
    private static func difference(_ entry: DifferenceTable.Entry, _ bits: UInt64) -> UInt16 {
        UInt16(truncatingIfNeeded: bits &>> (0 &- UInt64(entry.length))) &+ entry.constant
    }

    /// The next difference of any kind.
    mutating func anyDifference(_ table: DifferenceTable) -> UInt32 {
        let bits = nextBits
        let entry = Self.entry(table.entries, bits)
        if table.hasShifts {
            usedBits += entry.bits
            return UInt32(Self.shiftedDifference(entry, bits))
        }
        guard !entry.isRare else { return rareDifference(table) }
        usedBits += UInt64(entry.length)
        return UInt32(Self.difference(entry, bits))
    }

    private mutating func rareDifference(_ table: DifferenceTable) -> UInt32 {
        let category = takeCategory(table)
        let length = category == 16 && !table.sixteenHasBits ? 0 : category
        let value = length == 0 ? 0 : Int(truncatingIfNeeded: nextBits >> UInt64(64 - length))
        usedBits += UInt64(length)
        return DifferenceTable.difference(category, value)
    }

    private mutating func takeCategory(_ table: DifferenceTable) -> Int {
        let bits = nextBits
        for length in 1...16 {
            let code = Int(truncatingIfNeeded: bits >> UInt64(64 - length))
            guard code < table.endCode[length] else { continue }
            let index = code + table.categoryShift[length]
            guard table.categories.indices.contains(index) else { break }
            usedBits += UInt64(length)
            return Int(table.categories[index])
        }
        unknownCodes += 1
        usedBits += 1
        return 0
    }
}
