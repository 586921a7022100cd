#if DEBUG
    @testable import Decode
    import DecodeKernels
    import PictureFormat

    /// Samples in groups of 16 bytes or in words. The first three bytes choose the coding, the row length and the
    /// visible samples.
    struct GroupedSamples: ForeignReader {
        let name = "groups"
        private static let headerBytes = 3
        private static let codings: [GroupCoding] = [
            .packed12, .packed14, .padded12, .differences, .scaled14, .scaled12,
        ]

        func read(_ bytes: [UInt8]) {
            guard bytes.count > Self.headerBytes else { return }
            let (flags, across) = (Int(bytes[0]), 1 + Int(bytes[1] & 63))
            let missing = flags & 8 == 0 ? 0 : -(bytes.count - Self.headerBytes) & (GroupSamples.blockBytes - 1)
            withExactMemory(bytes + [UInt8](repeating: 0, count: missing)) { memory in
                let byteCount = memory.count - Self.headerBytes
                // One row more than the samples suffice for must be refused.
                let more = flags >> 7
                guard flags & 7 < Self.codings.count else {
                    let (bits, together) = flags & 16 == 0 ? (12, 8) : (14, 16)
                    let width = together * across
                    return unpackSamples(
                        .words(bits: bits), memory, from: Self.headerBytes, width: width,
                        height: byteCount / (width * bits / 8) + more)
                }
                let coding = Self.codings[flags & 7]
                let width = across * coding.count
                let height = byteCount / (GroupSamples.groupBytes * across)
                let visible = PixelSize(width: width - min(Int(memory[2] & 31), width - 1), height: height)
                unpackSamples(
                    .groups(coding, isInBlocks: flags & 8 != 0, visible: visible), memory, from: Self.headerBytes,
                    width: width, height: height + more)
            }
        }
    }
#endif
