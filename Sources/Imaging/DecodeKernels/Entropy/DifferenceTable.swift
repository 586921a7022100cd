/// A Huffman table of lossless JPEG as a look-up by the next bits. An entry has the number of bits to take and a
/// constant that turns them into a difference.
///
/// Lossless JPEG codes a difference as a Huffman code of its category (its number of bits) and those bits, where a
/// leading 0 means a negative number (ITU-T T.81, F.1.2.1 and H.1.2.2). The window covers the code and that first bit.
/// Code and bits, read as one number, differ from the difference by a constant. No branch depends on a difference's
/// size, so even noise causes hardly any mispredictions.
///
/// All arithmetic is modulo 2¹⁶ (T.81, H.1.2.1).
public final class DifferenceTable {
    /// In bits. Two tables of 4-byte entries fit in the first-level cache.
    static let window = 12

    struct Entry {
        /// Bits to take for code and difference. 0 marks rare cases: codes that exceed the window with their first bit,
        /// 16-bit differences, and invalid codes. In a table with shifts, bits 8 and up are the left shift.
        let length: UInt16
        /// Added to the bits, read as one number.
        let constant: UInt16

        static let rare = Entry(length: 0, constant: 0)
        var isRare: Bool { length == 0 }
        var bits: UInt64 { UInt64(length & 0xff) }
        var shift: UInt16 { length &>> 8 }
    }

    /// 2¹² entries by window, valid while the table lives.
    let entries: UnsafePointer<Entry>

    /// The part of a table that a loop needs, valid while the table lives.
    struct Lookup {
        let entries: UnsafePointer<Entry>
        unowned(unsafe) let table: DifferenceTable

        init(_ table: DifferenceTable) {
            entries = table.entries
            self.table = table
        }
    }

    /// Exclusive end of the codes, by length.
    let endCode: [Int]
    /// By length, the difference between a code and its category's index.
    let categoryShift: [Int]
    /// In code order.
    let categories: [UInt8]
    /// DNG before version 1.1 wrote 16 more bits after category 16.
    let sixteenHasBits: Bool
    /// Whether some differences omit their lowest bits. Such a table has no rare codes.
    let hasShifts: Bool

    /// Proves that the lengths form a prefix code and that no category exceeds 16.
    ///
    /// - Parameters:
    ///   - definition: sixteen counts of codes by length, then the categories in code order.
    ///   - sixteenHasBits: true for DNG before version 1.1.
    public convenience init?(_ definition: [UInt8], sixteenHasBits: Bool) {
        guard definition.count > 16, definition[16...].allSatisfy({ $0 <= 16 }) else { return nil }
        self.init(definition, sixteenHasBits: sixteenHasBits, hasShifts: false)
    }

    /// A table of Nikon's codes. Some omit the lowest bits of a difference and get half a step added.
    ///
    /// Proves that the lengths form a complete prefix code of at most 11 bits, and that no difference has more than 15
    /// bits or fewer than it omits.
    ///
    /// - Parameter definition: sixteen counts of codes by length, then the categories in code order, with the number of
    ///   omitted bits from bit 4 on.
    public convenience init?(nikon definition: [UInt8]) {
        guard definition.count > 16, definition[16...].allSatisfy({ $0 >> 4 == 0 || $0 & 15 > $0 >> 4 }),
            definition[11..<16].allSatisfy({ $0 == 0 }),
            (0..<11).reduce(0, { $0 + Int(definition[$1]) << (15 - $1) }) == 1 << 16
        else { return nil }
        self.init(definition, sixteenHasBits: false, hasShifts: definition[16...].contains { $0 > 15 })
    }

    private init?(_ definition: [UInt8], sixteenHasBits: Bool, hasShifts: Bool) {
        var entries = [Entry](repeating: .rare, count: 1 << Self.window)
        var endCode = [Int](repeating: 0, count: 17)
        var categoryShift = [Int](repeating: 0, count: 17)
        let categories = Array(definition.dropFirst(16))
        var code = 0
        var index = 0
        for length in 1...16 {
            categoryShift[length] = index - code
            for _ in 0..<definition[length - 1] {
                guard code < 1 << length, index < categories.count else { return nil }
                let category = Int(categories[index])
                if length < Self.window, hasShifts {
                    Self.fill(&entries, code, length, category & 15, leavingOut: category >> 4)
                } else if length < Self.window, category < 16 {
                    Self.fill(&entries, code, length, category, leavingOut: 0)
                }
                code += 1
                index += 1
            }
            endCode[length] = code
            code <<= 1
        }
        guard index > 0 else { return nil }
        let memory = UnsafeMutablePointer<Entry>.allocate(capacity: entries.count)
        memory.initialize(from: entries, count: entries.count)
        self.entries = UnsafePointer(memory)
        self.endCode = endCode
        self.categoryShift = categoryShift
        self.categories = categories
        self.sixteenHasBits = sixteenHasBits
        self.hasShifts = hasShifts
    }

    deinit { entries.deallocate() }

    /// Fills the entries of one code, negative differences first.
    private static func fill(
        _ entries: inout [Entry], _ code: Int, _ length: Int, _ category: Int, leavingOut shift: Int
    ) {
        let half = 1 << (window - length - 1)
        let first = 2 * code * half
        for (negative, start) in [(true, first), (false, first + half)] {
            let halfStep = shift > 0 ? 1 << (shift - 1) : 0
            let smallest = negative ? (shift > 0 ? 0 : 1) - 1 << category : 0
            let constant = UInt16(truncatingIfNeeded: smallest + halfStep - code << category)
            let entry = Entry(length: UInt16(length + category - shift | shift << 8), constant: constant)
            for index in start..<start + half { entries[index] = entry }
        }
    }

    /// The difference of a category and its bits, modulo 2¹⁶. Category 16 is always 32768.
    static func difference(_ category: Int, _ value: Int) -> UInt32 {
        guard category > 0 else { return 0 }
        guard category < 16 else { return 0x8000 }
        return UInt32(truncatingIfNeeded: value < 1 << (category - 1) ? value - 1 << category + 1 : value)
    }
}
