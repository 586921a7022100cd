import DecodeKernels
import PictureFormat

extension StoredSamples {
    /// Flags of LibRaw's decoder for packed samples.
    private enum Packing {
        static let words: UInt32 = 24
        static let padded: UInt32 = 81
    }

    /// Uncompressed samples of 10 to 14 bits: packed from the left, as 12 bits in Nikon's NEF and Pentax's PEF, or in
    /// two other 12-bit forms. Nil if LibRaw has to decode them: rows that end within a byte, and truncated files.
    init?(packed facts: LibRawFacts, fileByteCount: Int) {
        let (bits, size) = (facts.bitsPerSample, facts.sensorSize)
        guard (10...14).contains(bits), size.width * bits % 8 == 0 else { return nil }
        switch facts.loadFlags {
        case 0:
            self.init(
                .plain(bits: bits, isLittleEndian: false), rowByteCount: size.width * bits / 8, at: facts.dataOffset,
                size: size, fileByteCount: fileByteCount)
        case Packing.words:
            guard bits == 12 else { return nil }
            self.init(words: facts, bits: bits, fileByteCount: fileByteCount)
        case Packing.padded:
            guard bits == 12, size.width % 10 == 0 else { return nil }
            let judged = PixelSize(
                width: min(facts.visible.x + facts.visible.size.width, size.width),
                height: facts.visible.y + facts.visible.size.height)
            self.init(
                .groups(.padded12, isInBlocks: false, visible: judged), rowByteCount: size.width / 10 * 16,
                at: facts.dataOffset, size: size, fileByteCount: fileByteCount)
        default: return nil
        }
    }
    /// Samples of 12 or 14 bits in 32-bit words. Nil if LibRaw has to decode them: rows that end within a group of
    /// three or seven words, and truncated files.
    init?(words facts: LibRawFacts, bits: Int, fileByteCount: Int) {
        let size = facts.sensorSize
        guard let together = WordSamples.samplesTogether(bits: bits), size.width % together == 0 else { return nil }
        self.init(
            .words(bits: bits), rowByteCount: size.width * bits / 8, at: facts.dataOffset, size: size,
            fileByteCount: fileByteCount)
    }

    /// 16-bit samples. Nil if LibRaw has to decode them: shifted samples and truncated files. `isWide` states whether
    /// LibRaw uses all 16 bits.
    init?(whole facts: LibRawFacts, isWide: Bool, fileByteCount: Int) {
        guard facts.loadFlags == 0 else { return nil }
        self.init(
            .plain(bits: 16, isLittleEndian: facts.isLittleEndian), rowByteCount: facts.sensorSize.width * 2,
            at: facts.dataOffset, size: facts.sensorSize, fileByteCount: fileByteCount)
        guard !isWide, facts.maximum < 0xffff else { return }
        var bits = 1
        while 1 << bits < facts.maximum { bits += 1 }
        guard let visible = facts.visibleRect(in: facts.sensorSize) else { return nil }
        range = (visible, UInt16(truncatingIfNeeded: 1 << bits - 1))
    }
}
