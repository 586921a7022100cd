import CLibRaw
import Pixels

/// How a file stores the samples of one picture, in whatever format: what our own unpacker works from.
struct StoredSamples {
    enum Coding: Hashable {
        /// 16 bits a sample in the file's byte order, or fewer and packed from the left.
        case plain(bits: Int, littleEndian: Bool)
        /// `sixteenHasBits` is true for DNG before version 1.1.
        case losslessJPEG(sixteenHasBits: Bool)

        /// True where a stretch of zeros in the file is one of samples; in JPEG data it is not.
        var keepsZeros: Bool { if case .plain = self { true } else { false } }
    }

    /// A run of the file's bytes, and what its samples fill, one after the other.
    struct Run: Hashable {
        let bytes: Range<Int>
        let slices: [Slice]
    }

    /// Of the plane, in samples and rows.
    let width: Int
    let height: Int
    let coding: Coding
    let runs: [Run]
    /// False where LibRaw would give something else than the samples, should we not know their coding.
    let isReadByLibRaw: Bool
}

/// A part of the plane that samples fill row by row, in samples and rows.
struct Slice: Hashable {
    let x: Int
    let y: Int
    /// As stored; what lies beyond the plane's edge is left out.
    let width: Int
    /// Inside the plane.
    let height: Int

    var sampleCount: Int { width * height }
}

extension Frame {
    /// Nil for what is left to LibRaw.
    /// - Throws: `corrupt` where the file contradicts itself.
    func storedSamples(_ layout: SensorLayout) throws(DecodeError) -> StoredSamples? {
        if let dng { return try StoredSamples(dng, layout) }
        guard case .bayer = layout, raw.text(CLibRawDecoderName) == "lossless_jpeg_load_raw()", let tiff, tiff.isCR2
        else { return nil }
        return try rawDirectory.flatMap { directory throws(DecodeError) in
            try StoredSamples(cr2: directory, size: sensorSize)
        }
    }
}
