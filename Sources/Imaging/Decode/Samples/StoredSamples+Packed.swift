import DecodeKernels
import PictureFormat

extension StoredSamples {
    /// How LibRaw's decoder of packed samples deviates from the usual.
    private enum Packing {
        static let words: UInt32 = 24
        static let padded: UInt32 = 81
    }

    /// Samples of 10 to 14 bits without compression: packed from the left, as Nikon's NEF and Pentax's PEF have those of 12, and
    /// two other ways of 12 bits. Nil for what is left to LibRaw: rows that end within a byte, and files that end before their
    /// samples do.
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
    /// Samples of 12 or 14 bits in words of 32. Nil for what is left to LibRaw: rows that end within three words, or seven, and
    /// files that end before their samples do.
    init?(words facts: LibRawFacts, bits: Int, fileByteCount: Int) {
        let size = facts.sensorSize
        guard let together = WordSamples.samplesTogether(bits: bits), size.width % together == 0 else { return nil }
        self.init(
            .words(bits: bits), rowByteCount: size.width * bits / 8, at: facts.dataOffset, size: size,
            fileByteCount: fileByteCount)
    }

    /// Samples of 16 bits. Nil for what is left to LibRaw: samples that are shifted, and files that end before their samples do.
    ///
    /// - Parameter isWide: whether LibRaw takes all of the 16 bits for samples.
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
