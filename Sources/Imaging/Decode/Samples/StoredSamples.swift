import DecodeKernels
import PictureFormat
import Pixels

/// How a file of any format stores the samples of one picture: what our own unpacker needs to know.
struct StoredSamples {
    enum Coding: Hashable {
        /// 16 bits a sample in the file's byte order, or fewer and packed from the left.
        case plain(bits: Int, isLittleEndian: Bool)
        /// `sixteenHasBits` is true for DNG before version 1.1.
        case losslessJPEG(sixteenHasBits: Bool)
        /// Sony's blocks of 16 bytes; what each of 2,048 values stands for.
        case sonyBlocks(curve: [UInt16])
        case nikon(NikonCoding)

        /// Whether a run of zeros in the file is one of samples; in JPEG data it is not.
        var keepsZeros: Bool { if case .losslessJPEG = self { false } else { true } }
    }

    /// One strip or tile: bytes of the file, and what its samples fill, one slice after the other.
    struct Chunk: Hashable {
        let bytes: Range<Int>
        let slices: [PlaneSlice]
    }

    /// Of the plane, in samples.
    let width: Int
    /// Of the plane, in rows.
    let height: Int
    let coding: Coding
    let chunks: [Chunk]
    /// False where LibRaw would read something else than the samples if we do not know their coding.
    let isReadByLibRaw: Bool

    /// Nil for what is left to LibRaw.
    ///
    /// - Throws: `corrupt` where the file contradicts itself.
    init?(_ frame: Frame, _ layout: SensorLayout) throws(DecodeError) {
        if let dng = frame.dng {
            try self.init(dng, layout)
            return
        }
        guard case .bayer = layout, let directory = frame.rawDirectory else { return nil }
        switch frame.raw.text(.decoderName) {
        case "lossless_jpeg_load_raw()":
            guard frame.tiff?.isCR2 == true else { return nil }
            try self.init(cr2: directory, size: frame.sensorSize)
        case "sony_arw2_load_raw()":
            self.init(
                arw: directory, size: frame.sensorSize, visible: frame.raw.facts.visible, curve: frame.raw.curve)
        case "nikon_load_raw()":
            guard let reader = frame.tiff?.reader else { return nil }
            let facts = frame.raw.facts
            guard
                let coding = NikonCoding(
                    reader, at: facts.metaOffset, bits: facts.bitsPerSample, curve: frame.raw.curve,
                    height: frame.sensorSize.height)
            else { return nil }
            self.init(
                nef: directory, coding, size: frame.sensorSize, visible: facts.visible,
                fileByteCount: unsafe frame.bytes.count)
        case "packed_load_raw()":
            let facts = frame.raw.facts
            guard facts.loadFlags == 0 else { return nil }
            self.init(
                packedBits: facts.bitsPerSample, at: facts.dataOffset, size: frame.sensorSize,
                fileByteCount: unsafe frame.bytes.count)
        default: return nil
        }
    }
}
