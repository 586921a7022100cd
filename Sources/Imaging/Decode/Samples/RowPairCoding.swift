import DecodeKernels

/// Codes differences to the sample two columns to the left.
struct RowPairCoding: Hashable {
    /// A tree is sixteen counts of codes by length, then their values.
    enum Trees: Hashable {
        /// Trees before `split` and after it; the differences omit their lowest bits.
        case nikon([[UInt8]])
        case pentax([UInt8])
    }

    let trees: Trees
    /// First row of the second tree; the height if there is none.
    let split: Int
    /// Predictions for the first two samples of rows 0 and 1.
    let start: SIMD4<UInt16>
    /// Exclusive upper bound of sums.
    let limit: Int
    /// Nil if the sums are the samples.
    let curve: [UInt16]?

    /// Tables before `split` and after it; fewer if a tree is not a valid code.
    var tables: [DifferenceTable] {
        switch trees {
        case .nikon(let trees): trees.compactMap { DifferenceTable(nikon: $0) }
        case .pentax(let tree):
            DifferenceTable(tree, sixteenHasBits: false).map { [$0, $0] } ?? []
        }
    }
}
