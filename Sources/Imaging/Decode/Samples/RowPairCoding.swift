import DecodeKernels

/// What a file says of differences to the sample two places to the left.
struct RowPairCoding: Hashable {
    /// Each sixteen counts of codes by length, then what they stand for.
    enum Trees: Hashable {
        /// For the rows before `split` and for those from it on, with differences that lack their lowest bits.
        case nikon([[UInt8]])
        case pentax([UInt8])
    }

    let trees: Trees
    /// The height where no row has the second tree.
    let split: Int
    /// What the first two samples of rows 0 and 1 are predicted from.
    let start: SIMD4<UInt16>
    /// What all sums are below.
    let limit: Int
    /// Nil where sums are samples.
    let curve: [UInt16]?

    /// For the rows before `split` and for those from it on; fewer where one of them makes no code.
    var tables: [DifferenceTable] {
        switch trees {
        case .nikon(let trees): trees.compactMap { DifferenceTable(nikon: $0) }
        case .pentax(let tree):
            DifferenceTable(tree, sixteenHasBits: false).map { [$0, $0] } ?? []
        }
    }
}
