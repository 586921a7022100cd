import DecodeKernels
import Glibc
import TIFF
import PictureFormat
import Pixels

/// Scales a DNG's floating-point or 32-bit samples to 16 bits, with the resulting levels.
///
/// WhiteLevel, by default 1 for floating point, becomes the largest sample. Merged exposures contain light above white.
/// To keep up to four stops of it, all samples become darker and the picture's exposure rises by the same factor.
struct NumberLevels {
    let scale: NumberScale
    let black: BlackLevels
    let white: [Float]
    /// Increase of the picture's exposure, in stops.
    let exposure: Float
    /// Largest number that fits these levels.
    let limit: Float

    private static let maxRoom: Float = 16
    /// In stops.
    private static let maxExposure: Float = 10

    /// Nil if the file's levels contradict each other.
    ///
    /// - Parameters:
    ///   - largest: largest number of the picture; has no effect up to white.
    ///   - baselineExposure: the file's, in stops.
    ///   - keepsWhite: true to clip samples above white.
    init?(_ dng: DNGFacts, size: PixelSize, largest: Float, baselineExposure: Float, keepsWhite: Bool) {
        guard let stated = dng.numberWhite, let top = stated.max(), let black = dng.black(in: size) else { return nil }
        let left = Float(exp2(Double(max(Self.maxExposure - max(baselineExposure, 0), 0))))
        let room = keepsWhite ? 1 : min(max(largest / top, 1), Self.maxRoom, left)
        let factor = 65_535 / (top * room)
        guard let scale = NumberScale(factor: factor) else { return nil }
        let levels = BlackLevels(repeatSize: black.repeatSize, values: black.values.map { $0 * factor })
        let mean = black.values.reduce(0, +) / Float(black.values.count)
        guard let levels, stated.allSatisfy({ $0 > mean }) else { return nil }
        self.scale = scale
        self.black = levels
        white = stated.map { $0 * room * factor }
        limit = keepsWhite ? .infinity : max(largest, top)
        exposure = Float(log2(Double((stated[1] * room - mean) / (stated[1] - mean))))
    }
}

extension DNGFacts {
    /// libjxl's bytes per sample while it decodes a tile, and our copy's.
    private static let bytesOfJPEGXL = 16

    /// Maximum memory per pixel in addition to the plane: four bytes for light above white, and one inflated strip.
    var bytesBesidePlane: Int {
        let decoded =
            switch raw.compression {
            case TIFFCompression.deflate: (bitsPerSample + 7) / 8 * samplesPerPixel
            case TIFFCompression.lossyJPEG: 3 * samplesPerPixel
            case TIFFCompression.jpegXL: Self.bytesOfJPEGXL * samplesPerPixel
            default: 0
            }
        let ordered = raw.has(.rowInterleaveFactor) || raw.has(.columnInterleaveFactor) ? 2 * samplesPerPixel : 0
        return decoded + ordered + (numberForm == nil ? 0 : 4 * samplesPerPixel)
    }

    /// Number format of uncompressed, Deflate or JPEG XL samples. Nil for integers of up to 16 bits and other codings.
    var numberForm: NumberForm? {
        let bits = raw.integers(.bitsPerSample) ?? [1]
        let formats = raw.integers(.sampleFormat) ?? [1]
        guard [TIFFCompression.none, TIFFCompression.deflate, TIFFCompression.jpegXL].contains(raw.compression),
            bits.allSatisfy({ $0 == bitsPerSample }), let format = formats.first,
            formats.allSatisfy({ $0 == format })
        else { return nil }
        switch (format, bitsPerSample) {
        case (3, 16), (3, 24), (3, 32): return .float(bits: bitsPerSample)
        case (1, 32): return raw.compression == TIFFCompression.jpegXL ? nil : .whole(bits: 32)
        default: return nil
        }
    }

    /// Saturation of red, green and blue in stored numbers; nil for other samples or an invalid white level.
    var numberWhite: [Float]? {
        guard let form = numberForm else { return nil }
        var byDefault: Float = 1
        if case .whole = form { byDefault = 0x1p32 }
        let levels = (raw.reals(.whiteLevel) ?? [Double(byDefault)]).map { Float($0) }
        guard let first = levels.first, levels.allSatisfy({ $0.isFinite && $0 > 1e-6 && $0 < 1e12 }) else { return nil }
        return levels.count >= 3 && samplesPerPixel == 3 ? Array(levels.prefix(3)) : [first, first, first]
    }
}
