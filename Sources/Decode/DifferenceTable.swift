/// Looks up whole differences: a code and the bits that follow it in one step, where both fit in the window.
///
/// Lossless JPEG codes a difference as a Huffman code for its category (how many bits it has) and then those bits.
/// Most are short, so a table over the next bits of the stream gives the difference itself and how many bits to drop.
struct DifferenceTable {
    /// Bits of the window. 4-byte entries keep the table in a processor's first cache.
    static let window = 12

    /// The difference in the upper half, the bits to drop in the lowest byte. Where the window is too short for the bits
    /// behind the code, that byte has its top bit set (`isLong`) above the code's length, and the category, 1 to 15,
    /// stands above it. `isUnknown` is for codes that are longer than the window, or none at all.
    let entries: [UInt32]
    static let isLong: UInt32 = 0x80
    static let isUnknown: UInt32 = 0xff

    /// For codes longer than the window: by length, the first code beyond those of that length, and what to add to a
    /// code to find its category's place.
    let endCode: [Int]
    let categoryShift: [Int]
    let categories: [UInt8]
    /// DNG before version 1.1 wrote sixteen more bits after category 16.
    let sixteenHasBits: Bool

    /// Nil where the lengths do not make a code.
    /// - Parameter definition: sixteen counts, then the categories.
    init?(_ definition: [UInt8], sixteenHasBits: Bool) {
        var entries = [UInt32](repeating: Self.isUnknown, count: 1 << Self.window)
        var endCode = [Int](repeating: 0, count: 17)
        var categoryShift = [Int](repeating: 0, count: 17)
        let categories = Array(definition.dropFirst(16))
        var code = 0
        var place = 0
        for length in 1...16 {
            categoryShift[length] = place - code
            for _ in 0..<definition[length - 1] {
                guard code < 1 << length, place < categories.count else { return nil }
                if length <= Self.window {
                    Self.fill(&entries, code, length, Int(categories[place]), sixteenHasBits)
                }
                code += 1
                place += 1
            }
            endCode[length] = code
            code <<= 1
        }
        guard place > 0 else { return nil }
        self.entries = entries
        self.endCode = endCode
        self.categoryShift = categoryShift
        self.categories = categories
        self.sixteenHasBits = sixteenHasBits
    }

    private static func fill(
        _ entries: inout [UInt32], _ code: Int, _ length: Int, _ category: Int, _ sixteenHasBits: Bool
    ) {
        let bits = category == 16 && !sixteenHasBits ? 0 : category
        let first = code << (window - length)
        guard length + bits <= window else {
            guard category < 16 else { return }
            let entry = UInt32(category) << 8 | isLong | UInt32(length)
            for index in 0..<1 << (window - length) { entries[first + index] = entry }
            return
        }
        let rest = window - length - bits
        for value in 0..<1 << bits {
            let difference = UInt32(truncatingIfNeeded: Self.difference(category, value)) << 16
            for index in 0..<1 << rest { entries[first + value << rest + index] = difference | UInt32(length + bits) }
        }
    }

    /// The difference a category and its bits stand for; category 16 is 32768 alone.
    @inline(__always)
    static func difference(_ category: Int, _ value: Int) -> Int {
        guard category > 0 else { return 0 }
        guard category < 16 else { return -32768 }
        return value < 1 << (category - 1) ? value - (1 << category) + 1 : value
    }
}
