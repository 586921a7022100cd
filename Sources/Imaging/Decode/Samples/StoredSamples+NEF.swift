import DecodeKernels
import Metadata
import PictureFormat

/// What a NEF's maker note says of its compression.
struct NikonCoding: Hashable {
    /// Sixteen counts of codes by length, then what they stand for, for the rows before `split` and for those from it on.
    let trees: [[UInt8]]
    /// The height where no row has the second tree.
    let split: Int
    /// What the first two samples of rows 0 and 1 are predicted from.
    let start: SIMD4<UInt16>
    let limit: Int
    let curve: [UInt16]

    private static let lossless: (UInt8, UInt8) = (0x46, 0x30)
    private static let lossy: (UInt8, UInt8) = (0x44, 0x20)
    /// Where the note has the row from which lossy files use another tree.
    private static let splitOffset = 562

    /// Nil for versions that are left to LibRaw.
    ///
    /// - Parameters:
    ///   - reader: of the whole file, in its byte order.
    ///   - offset: where the note's linearization table is (tags 0x8c and 0x96).
    ///   - bits: of a sample.
    ///   - curve: LibRaw's, which it made of that table.
    init?(_ reader: ByteReader, at offset: Int, bits: Int, curve: [UInt16], height: Int) {
        guard let first = reader.uint8(offset), let second = reader.uint8(offset + 1), bits == 12 || bits == 14,
            curve.count >= NikonSamples.curveCount
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
        self.curve = Array(curve.prefix(NikonSamples.curveCount))
        var limit = 1 << bits
        while limit > 2, curve[limit - 2] == curve[limit - 1] { limit -= 1 }
        self.limit = limit
        let tree = (isLossless ? 2 : 0) + (bits == 14 ? 3 : 0)
        trees = [NikonTrees.all[tree], NikonTrees.all[isLossless ? tree : tree + 1]]
    }
}

extension StoredSamples {
    /// Nikon's compressed NEF. Nil for what is left to LibRaw.
    ///
    /// - Parameter coding: what the maker note says.
    init?(nef directory: TIFFDirectory, _ coding: NikonCoding, size: PixelSize, visible: PixelRect, fileByteCount: Int)
    {
        guard let strip = directory.chunks?.first, directory.chunks?.count == 1, strip.lowerBound < fileByteCount,
            (2...1 << 16).contains(size.width), size.width % 2 == 0, (1...1 << 16).contains(size.height),
            // LibRaw reads no more rows than the picture has.
            visible.y == 0, visible.size.height == size.height
        else { return nil }
        width = size.width
        height = size.height
        self.coding = .nikon(coding)
        // LibRaw, too, reads on behind the strip.
        chunks = [
            Chunk(
                bytes: strip.lowerBound..<fileByteCount,
                slices: [PlaneSlice(x: 0, y: 0, width: size.width, height: size.height)])
        ]
        isReadByLibRaw = true
    }
}
