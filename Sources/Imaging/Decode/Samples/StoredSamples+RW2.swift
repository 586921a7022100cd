import DecodeKernels
import PictureFormat

extension StoredSamples {
    /// LibRaw's flag for swapped parts of a block, in Panasonic's formats 4 and 5.
    private static let blockFlags: UInt32 = 0x2008
    /// LibRaw reads formats 6 and 7 in groups of this many rows and ignores the rest.
    private static let rowsTogether = 16

    /// Panasonic's RW2. Nil if LibRaw has to decode it: rows that are not whole groups, rows that LibRaw does not read,
    /// and files that end within the last block after its samples.
    ///
    /// - Throws: `corrupt` for truncated samples, where LibRaw would use zeros or old memory.
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
        // A minimum: rows that are not whole groups need a few more bytes. Early cameras do not swap a block's parts.
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
