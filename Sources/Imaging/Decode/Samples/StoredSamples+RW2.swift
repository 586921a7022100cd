import DecodeKernels
import PictureFormat

extension StoredSamples {
    /// Where LibRaw expects the two parts of a block, by Panasonic's formats 4 and 5.
    private static let blockFlags: UInt32 = 0x2008
    /// LibRaw reads so many rows of the formats 6 and 7 at once, and no others.
    private static let rowsTogether = 16

    /// Panasonic's RW2. Nil for what is left to LibRaw: rows that are not whole groups of samples, rows that LibRaw does not
    /// read, and files that end within the last block, behind its samples.
    ///
    /// - Throws: `corrupt` for a file that ends before its samples do. LibRaw takes what is not there for zeros, or for what was
    ///   in memory.
    init?(panasonic facts: LibRawFacts, fileByteCount: Int) throws(DecodeError) {
        let isInBlocks = facts.panasonicFormat < 6
        let coding: GroupCoding? =
            switch (facts.panasonicFormat, facts.panasonicBits) {
            case (0...4, _): .differences
            case (5, 12), (7, 12): .packed12
            case (5, 14), (7, 14): .packed14
            case (6, 12): .scaled12
            case (6, 14): .scaled14
            default: nil
            }
        let size = facts.sensorSize
        guard let coding else { return nil }
        // At least: of rows that are not whole groups some bytes more. Blocks of early cameras have no end before their beginning.
        let byteCount = GroupSamples.byteCount(
            groups: size.width / coding.count * size.height,
            isInBlocks: facts.loadFlags == Self.blockFlags && isInBlocks)
        guard facts.dataOffset >= 0, fileByteCount - facts.dataOffset >= byteCount else { throw .cut }
        guard size.width % coding.count == 0,
            isInBlocks ? facts.loadFlags == Self.blockFlags : size.height % Self.rowsTogether == 0
        else { return nil }
        let judged = PixelSize(width: min(facts.visible.size.width, size.width), height: facts.visible.size.height)
        self.init(
            .groups(coding, isInBlocks: isInBlocks, visible: judged),
            rowByteCount: size.width / coding.count * GroupSamples.groupBytes, at: facts.dataOffset, size: size,
            fileByteCount: fileByteCount, blockBytes: isInBlocks ? GroupSamples.blockBytes : 1)
    }
}
