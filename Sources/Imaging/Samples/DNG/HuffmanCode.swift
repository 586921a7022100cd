/// An optimal prefix code for the seventeen difference categories of lossless JPEG, no code longer than 16 bits and
/// none all ones (D. A. Huffman, 1952, "A method for the construction of minimum-redundancy codes"; ITU-T T.81, annex
/// K.2).
package struct HuffmanCode: Sendable {
    package static let symbols = 17
    /// Code and length in bits, by category.
    package let codes: [UInt32]
    package let lengths: [UInt32]
    /// Number of codes of each length, 1 to 16, then the categories in the order of their codes.
    package let table: [UInt8]

    /// - Parameter frequencies: seventeen counts; a category with count 0 gets no code.
    package init(frequencies: [Int]) {
        var weights = frequencies
        // An additional unused symbol takes the code of all ones.
        var depths = Self.depths(weights + [0], always: Self.symbols)
        while let deepest = depths.max(), deepest > 16 {
            weights = weights.map { ($0 + 1) / 2 }
            depths = Self.depths(weights + [0], always: Self.symbols)
        }
        self.init(depths: depths)
    }

    /// - Parameter depths: code length of each category; 0 for no code.
    init(depths: [Int]) {
        let order = (0..<Self.symbols).filter { depths[$0] > 0 }.sorted { (depths[$0], $0) < (depths[$1], $1) }
        var codes = [UInt32](repeating: 0, count: Self.symbols)
        var counts = [UInt8](repeating: 0, count: 16)
        var code: UInt32 = 0
        var length = 0
        for symbol in order {
            code <<= UInt32(depths[symbol] - length)
            length = depths[symbol]
            codes[symbol] = code
            counts[length - 1] += 1
            code += 1
        }
        self.codes = codes
        lengths = depths.prefix(Self.symbols).map { UInt32($0) }
        table = counts + order.map { UInt8($0) }
    }

    /// Depth of each symbol in Huffman's tree; 0 for symbols that do not occur, except `always`.
    private static func depths(_ weights: [Int], always: Int) -> [Int] {
        var depths = [Int](repeating: 0, count: weights.count)
        var groups = weights.indices.filter { weights[$0] > 0 || $0 == always }.map { (weights[$0], [$0]) }
        while groups.count > 1 {
            groups.sort { ($0.0, $0.1[0]) > ($1.0, $1.1[0]) }
            let first = groups.removeLast()
            let second = groups.removeLast()
            let merged = first.1 + second.1
            for symbol in merged { depths[symbol] += 1 }
            groups.append((first.0 + second.0, merged))
        }
        return depths
    }
}
