import DecodeKernels

/// Coding of differences to the sample two places to the left.
struct RowPairCoding: Hashable {
    /// Each tree is sixteen counts of codes by length, then their values.
    enum Trees: Hashable {
        /// Trees of the rows before `split` and of the rest, with differences that omit their lowest bits.
        case nikon([[UInt8]])
        case pentax([UInt8])
    }

    let trees: Trees
    /// The height if no row uses the second tree.
    let split: Int
    /// Predictions of the first two samples of rows 0 and 1.
    let start: SIMD4<UInt16>
    /// Exclusive upper bound of all sums.
    let limit: Int
    /// Nil if sums are samples.
    let curve: [UInt16]?

    /// Tables of the rows before `split` and of the rest; fewer if one of them is not a valid code.
    var tables: [DifferenceTable] {
        switch trees {
        case .nikon(let trees): trees.compactMap { DifferenceTable(nikon: $0) }
        case .pentax(let tree):
            DifferenceTable(tree, sixteenHasBits: false).map { [$0, $0] } ?? []
        }
    }
}
