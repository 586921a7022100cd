import DecodeKernels
import TIFF

extension RowPairCoding {
    private static let lossless: (UInt8, UInt8) = (0x46, 0x30)
    private static let lossy: (UInt8, UInt8) = (0x44, 0x20)
    /// Offset of the field with the split row: lossy files use another tree from there.
    private static let splitOffset = 562

    /// A NEF's compression according to its maker note. Nil for versions that LibRaw has to decode. `offset` is the
    /// position of the linearization table (tags 0x8c and 0x96), `curve` LibRaw's expansion of it.
    init?(nikon reader: ByteReader, at offset: Int, bits: Int, curve: [UInt16], height: Int) {
        guard let first = reader.uint8(offset), let second = reader.uint8(offset + 1), bits == 12 || bits == 14,
            curve.count >= RowPairSamples.curveCount
        else { return nil }
        let isLossless = (first, second) == Self.lossless
        guard isLossless || (first, second) == Self.lossy else { return nil }
        let predictors = (0..<4).compactMap { reader.uint16(offset + 2 + 2 * $0) }
        guard predictors.count == 4 else { return nil }
        start = SIMD4(predictors[0], predictors[1], predictors[2], predictors[3])
        var split = height
        if !isLossless {
            guard let stated = reader.count16(offset + Self.splitOffset) else { return nil }
            split = stated == 0 ? height : min(stated, height)
        }
        self.split = split
        self.curve = Array(curve.prefix(RowPairSamples.curveCount))
        var limit = 1 << bits
        while limit > 2, curve[limit - 2] == curve[limit - 1] { limit -= 1 }
        self.limit = limit
        let tree = (isLossless ? 2 : 0) + (bits == 14 ? 3 : 0)
        trees = .nikon([NikonTrees.all[tree], NikonTrees.all[isLossless ? tree : tree + 1]])
    }
}
