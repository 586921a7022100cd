/// What the next bits of a scan say: how many to take, and what makes a difference of them.
///
/// Lossless JPEG codes a difference as a Huffman code for its category (how many bits it has) and then those bits, of
/// which a first 0 means a negative number (ITU-T T.81, F.1.2.1 and H.1.2.2). The window holds the code and that first
/// bit, so one look-up knows all but the bits' value: taken as one number with the code before them, code and bits
/// differ from the difference by a constant. There is nothing to decide on the way, so that a processor never guesses
/// wrong, however noisy the picture is.
///
/// All arithmetic is modulo 2¹⁶ (T.81, H.1.2.1).
final class DifferenceTable {
    /// Bits of the window. Two tables of 4-byte entries fit in a processor's first cache.
    static let window = 12

    struct Entry {
        /// How many bits to take: code and difference. 0 is for what is rare: codes that do not fit in the window with
        /// the bit behind them, 16-bit differences, and what is no code.
        let length: UInt16
        /// What to add to these bits, taken as one number.
        let constant: UInt16

        static let rare = Entry(length: 0, constant: 0)
        var isRare: Bool { length == 0 }
    }

    /// By window. Valid while the table lives.
    let entries: UnsafePointer<Entry>

    /// By length, the first code beyond those of that length, and what to add to a code to find its category's place.
    let endCode: [Int]
    let categoryShift: [Int]
    let categories: [UInt8]
    /// DNG before version 1.1 wrote sixteen more bits after category 16.
    let sixteenHasBits: Bool

    /// Nil where the lengths do not make a code.
    /// - Parameter definition: sixteen counts, then the categories.
    init?(_ definition: [UInt8], sixteenHasBits: Bool) {
        var entries = [Entry](repeating: .rare, count: 1 << Self.window)
        var endCode = [Int](repeating: 0, count: 17)
        var categoryShift = [Int](repeating: 0, count: 17)
        let categories = Array(definition.dropFirst(16))
        var code = 0
        var place = 0
        for length in 1...16 {
            categoryShift[length] = place - code
            for _ in 0..<definition[length - 1] {
                guard code < 1 << length, place < categories.count else { return nil }
                if length < Self.window, categories[place] < 16 {
                    Self.fill(&entries, code, length, Int(categories[place]))
                }
                code += 1
                place += 1
            }
            endCode[length] = code
            code <<= 1
        }
        guard place > 0 else { return nil }
        let memory = UnsafeMutablePointer<Entry>.allocate(capacity: entries.count)
        memory.initialize(from: entries, count: entries.count)
        self.entries = UnsafePointer(memory)
        self.endCode = endCode
        self.categoryShift = categoryShift
        self.categories = categories
        self.sixteenHasBits = sixteenHasBits
    }

    deinit { entries.deallocate() }

    /// The entries of one code: those of negative differences, then the others.
    private static func fill(_ entries: inout [Entry], _ code: Int, _ length: Int, _ category: Int) {
        let half = 1 << (window - length - 1)
        let first = 2 * code * half
        for (negative, start) in [(true, first), (false, first + half)] {
            let least = negative ? 1 - 1 << category : 0
            let constant = UInt16(truncatingIfNeeded: least - code << category)
            let entry = Entry(length: UInt16(length + category), constant: constant)
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
