extension HuffmanCode {
    /// The code that Adobe's DNG SDK makes for one component of one tile (version 1.4, `dng_lossless_jpeg.cpp`): T.81's
    /// annex K.2, joining the higher of two equally rare categories first. If a code would exceed 16 bits, all
    /// categories receive a code as if each occurred once.
    ///
    /// - Parameter frequencies: seventeen counts; a category with count 0 has no code.
    init(adobeFrequencies frequencies: [Int]) {
        let optimal = Self.adobeDepths(frequencies)
        let depths =
            optimal.allSatisfy { $0 <= 16 } ? optimal : Self.adobeDepths([Int](repeating: 1, count: Self.symbols))
        self.init(depths: depths)
    }

    /// Depth of each category in the tree. An additional unused symbol takes the code of all ones: the last of the
    /// longest, whichever symbol had that length.
    private static func adobeDepths(_ frequencies: [Int]) -> [Int] {
        var weights = frequencies + [1]
        var branches = weights.indices.map { [$0] }
        var depths = [Int](repeating: 0, count: weights.count)
        while let first = rarest(weights, but: nil), let second = rarest(weights, but: first) {
            weights[first] += weights[second]
            weights[second] = 0
            branches[first] += branches[second]
            for symbol in branches[first] { depths[symbol] += 1 }
        }
        return withoutLast(depths)
    }

    private static func rarest(_ weights: [Int], but excluded: Int?) -> Int? {
        weights.indices.filter { weights[$0] > 0 && $0 != excluded }.min { (weights[$0], -$0) < (weights[$1], -$1) }
    }

    /// Drops one code of the greatest length and reassigns lengths to categories in the order of their depths.
    private static func withoutLast(_ depths: [Int]) -> [Int] {
        let lengths = depths.filter { $0 > 0 }.sorted().dropLast()
        let order = (0..<symbols).filter { depths[$0] > 0 }.sorted { (depths[$0], $0) < (depths[$1], $1) }
        var result = [Int](repeating: 0, count: symbols)
        for (symbol, length) in zip(order, lengths) { result[symbol] = length }
        return result
    }
}
