/// Huffman codes of Nikon's compressions (dcraw, D. Coffin, `nikon_load_raw`): sixteen counts of codes by length, then
/// their values. A value is the bits of a difference and, from bit 4, the number of omitted low bits.
enum NikonTrees {
    /// 12 bits: lossy, lossy after the split row, lossless; then 14 bits in the same order.
    static let all: [[UInt8]] = [
        [0, 1, 5, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0] + [5, 4, 3, 6, 2, 7, 1, 0, 8, 9, 11, 10, 12, 0],
        [0, 1, 5, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0]
            + [0x39, 0x5a, 0x38, 0x27, 0x16, 5, 4, 3, 2, 1, 0, 11, 12, 12],
        [0, 1, 4, 2, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [5, 4, 6, 3, 7, 2, 8, 1, 9, 0, 10, 11, 12],
        [0, 1, 4, 3, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0] + [5, 6, 4, 7, 8, 3, 9, 2, 1, 0, 10, 11, 12, 13, 14],
        [0, 1, 5, 1, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0]
            + [8, 0x5c, 0x4b, 0x3a, 0x29, 7, 6, 5, 4, 3, 2, 1, 0, 13, 14],
        [0, 1, 4, 2, 2, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0] + [7, 6, 8, 5, 9, 4, 10, 3, 11, 12, 2, 0, 1, 13, 14],
    ]
}
