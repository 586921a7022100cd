/// A Huffman table of lossless JPEG as a look-up by the next bits: how many to take, and what makes a difference of them.
///
/// Lossless JPEG codes a difference as a Huffman code for its category (the number of its bits) and then those bits, of
/// which a first 0 means a negative number (ITU-T T.81, F.1.2.1 and H.1.2.2). The window holds the code and that first
/// bit, so one look-up gives everything but the value of the bits: read as one number with the code before them, they
/// differ from the difference by a constant. No branch depends on how large a difference is, so that a processor hardly
/// ever mispredicts, however noisy the picture is.
///
/// All arithmetic is modulo 2¹⁶ (T.81, H.1.2.1).
public final class DifferenceTable {
    /// Bits of the window. Two tables of 4-byte entries fit into the first-level cache.
    static let window = 12

    struct Entry {
        /// How many bits to take: code and difference. 0 stands for what is rare: codes that do not fit into the window
        /// with the bit behind them, 16-bit differences, and what is no code.
        /// In a table with shifts, bits 8 and up say how far left the number is moved.
        let length: UInt16
        /// What to add to these bits, read as one number.
        let constant: UInt16

        static let rare = Entry(length: 0, constant: 0)
        var isRare: Bool { length == 0 }
        var bits: UInt64 { UInt64(length & 0xff) }
        var shift: UInt16 { length &>> 8 }
    }

    /// 2¹² entries, by window. Valid while the table lives.
    let entries: UnsafePointer<Entry>

    /// What a loop needs of a table that its owner keeps. Valid while the table lives.
    struct Lookup {
        let entries: UnsafePointer<Entry>
        unowned(unsafe) let table: DifferenceTable

        init(_ table: DifferenceTable) {
            entries = table.entries
            self.table = table
        }
    }

    /// By length: the first code beyond those of that length.
    let endCode: [Int]
    /// By length: what to add to a code for the index of its category.
    let categoryShift: [Int]
    /// In the order of their codes.
    let categories: [UInt8]
    /// DNG before version 1.1 wrote sixteen more bits after category 16.
    let sixteenHasBits: Bool
    /// Whether some differences are without their lowest bits. No code of such a table is rare.
    let hasShifts: Bool

    /// Proves that the lengths make a prefix code and that no category is beyond 16.
    ///
    /// - Parameters:
    ///   - definition: sixteen counts of codes by length, then the categories in the order of their codes.
    ///   - sixteenHasBits: true for DNG before version 1.1.
    public convenience init?(_ definition: [UInt8], sixteenHasBits: Bool) {
        guard definition.count > 16, definition[16...].allSatisfy({ $0 <= 16 }) else { return nil }
        self.init(definition, sixteenHasBits: sixteenHasBits, hasShifts: false)
    }

    /// Nikon's codes, of which some stand for differences without their lowest bits: half a step is added to those.
    ///
    /// Proves that the lengths make a whole prefix code of at most 11 bits, and that no difference has more than 15 bits or
    /// fewer than are left out.
    ///
    /// - Parameter definition: sixteen counts of codes by length, then categories in the order of their codes, with the
    ///   number of bits that are left out from bit 4 on.
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

    /// The entries of one code: those of negative differences, then the others.
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

    /// The difference a category and its bits stand for, modulo 2¹⁶; category 16 is 32768 alone.
    static func difference(_ category: Int, _ value: Int) -> UInt32 {
        guard category > 0 else { return 0 }
        guard category < 16 else { return 0x8000 }
        return UInt32(truncatingIfNeeded: value < 1 << (category - 1) ? value - 1 << category + 1 : value)
    }
}
