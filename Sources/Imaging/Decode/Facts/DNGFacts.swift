import DecodeKernels
import TIFF
import PictureFormat
import Pixels

/// Fields of one DNG picture (Adobe, "Digital Negative Specification 1.4", 2012, chapters 2 to 6).
struct DNGFacts {
    /// The directory of the samples.
    let raw: TIFFDirectory
    let main: TIFFDirectory
    let frame: Int

    /// Reads the fields; nil if the file is not a DNG. `frame` is an index among the directories with a full picture,
    /// in file order.
    ///
    /// - Throws: `corrupt` if there is no such picture, or its fields contradict each other.
    init?(_ file: TIFFFile, frame: Int) throws(DecodeError) {
        guard let main = file.directories.first, main.has(.dngVersion) || main.unreadable.contains(.dngVersion)
        else { return nil }
        let pictures = file.directories.filter { $0.isSensorPicture && ($0.integer(.newSubfileType) ?? 0) == 0 }
        guard pictures.indices.contains(frame) else { throw .contradiction }
        raw = pictures[frame]
        self.main = main
        self.frame = frame
        guard isSound else { throw .contradiction }
    }

    /// From the picture's directory, else from the main one.
    func reals(_ tag: TIFFTag) -> [Double]? { raw.reals(tag) ?? main.reals(tag) }

    /// The whole sensor, 1 to 65,535 pixels on each side.
    var size: PixelSize? {
        let edges = 1...65_535
        guard let width = raw.integer(.imageWidth), let height = raw.integer(.imageLength), edges.contains(width),
            edges.contains(height)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    var isLittleEndian: Bool { raw.isLittleEndian }

    /// One byte for each part: 0x01040000 is 1.4.
    var version: Int { (main.integers(.dngVersion) ?? []).prefix(4).reduce(0) { $0 << 8 | $1 } }

    /// At most 65,535: the field has 16 bits, and a larger number in a damaged file contradicts the rest.
    var samplesPerPixel: Int { min(raw.integer(.samplesPerPixel) ?? 1, 65_535) }
    var bitsPerSample: Int { raw.integer(.bitsPerSample) ?? 1 }
    var isColourFilterArray: Bool {
        raw.integer(.photometricInterpretation) == TIFFPhotometric.colourFilterArray
    }

    func activeArea(in size: PixelSize) -> PixelRect {
        let whole = PixelRect(x: 0, y: 0, size: size)
        guard let edges = raw.integers(.activeArea), edges.count == 4, edges[0] < edges[2], edges[1] < edges[3],
            edges[2] <= size.height, edges[3] <= size.width
        else { return whole }
        return PixelRect(
            x: edges[1], y: edges[0], size: PixelSize(width: edges[3] - edges[1], height: edges[2] - edges[0]))
    }

    /// The default crop in plane coordinates; the active area if the crop exceeds it.
    func crop(in size: PixelSize) -> PixelRect {
        let area = activeArea(in: size)
        guard let origin = raw.reals(.defaultCropOrigin), let extent = raw.reals(.defaultCropSize),
            origin.count == 2, extent.count == 2,
            (origin + extent).allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 65_536 })
        else { return userCrop(of: area) }
        let crop = PixelRect(
            x: area.x + Int(origin[0].rounded()), y: area.y + Int(origin[1].rounded()),
            size: PixelSize(width: Int(extent[0].rounded()), height: Int(extent[1].rounded())))
        let fits =
            crop.size.width > 0 && crop.size.height > 0 && crop.x + crop.size.width <= area.x + area.size.width
            && crop.y + crop.size.height <= area.y + area.size.height
        return userCrop(of: fits ? crop : area)
    }

    /// Applies DefaultUserCrop: top, left, bottom and right as fractions.
    private func userCrop(of crop: PixelRect) -> PixelRect {
        guard let edges = reals(.defaultUserCrop), edges.count == 4,
            edges.allSatisfy({ $0.isFinite && (0...1).contains($0) })
        else { return crop }
        func place(_ share: Double, _ length: Int) -> Int { Int((share * Double(length)).rounded()) }
        let (top, bottom) = (place(edges[0], crop.size.height), place(edges[2], crop.size.height))
        let (left, right) = (place(edges[1], crop.size.width), place(edges[3], crop.size.width))
        guard top < bottom, left < right else { return crop }
        return PixelRect(
            x: crop.x + left, y: crop.y + top, size: PixelSize(width: right - left, height: bottom - top))
    }

    /// Nil for layouts that only LibRaw interpolates: four colours, two samples per pixel, diagonal layouts.
    func layout(in size: PixelSize) -> SensorLayout? {
        guard isColourFilterArray else {
            return samplesPerPixel == 1 ? .monochrome : samplesPerPixel == 3 ? .linearRGB : nil
        }
        guard samplesPerPixel == 1, (raw.integer(.cfaLayout) ?? 1) == 1,
            (raw.integers(.cfaPlaneColor) ?? [0, 1, 2]) == [0, 1, 2], let period = raw.integers(.cfaRepeatPatternDim),
            period.count == 2,
            period[0] == period[1], (1...64).contains(period[0]), let pattern = raw.integers(.cfaPattern),
            pattern.count == period[0] * period[0]
        else { return nil }
        let area = activeArea(in: size)
        let edge = period[0]
        let colours = (0..<edge * edge).compactMap { index in
            let y = (index / edge - area.y % edge + edge) % edge
            let x = (index % edge - area.x % edge + edge) % edge
            return colour(pattern[y * edge + x])
        }
        guard colours.count == edge * edge, Set(colours).count == 3 else { return nil }
        switch edge {
        case 2 where isBayer(colours): return .bayer(colours)
        case XTransPattern.period: return .xTrans(colours)
        default: return nil
        }
    }

    func colour(_ number: Int) -> CFAColour? { UInt8(exactly: number).flatMap { CFAColour(rawValue: $0) } }

    /// Width of a pixel divided by its height.
    var pixelAspect: Double {
        guard let scale = raw.reals(.defaultScale), scale.count == 2 else { return 1 }
        // DefaultScale is the stretching factor: 2 in width means pixels twice as wide.
        let aspect = scale[0] / scale[1]
        return aspect.isFinite && (0.1...10).contains(aspect) ? aspect : 1
    }

    /// In stops.
    var baselineExposure: Float { stops(.baselineExposure) }

    /// The profile's offset in stops, added to the baseline exposure.
    var baselineExposureOffset: Float { stops(.baselineExposureOffset) }

    private func stops(_ tag: TIFFTag) -> Float {
        guard let value = reals(tag)?.first, value.isFinite, abs(value) <= 10 else { return 0 }
        return Float(value)
    }

    /// Green's noise if the file states it by colour.
    var noise: StatedNoise? {
        guard let values = reals(.noiseProfile), values.count == 2 || values.count == 6 else { return nil }
        let start = values.count == 2 ? 0 : 2
        return StatedNoise(perLight: Float(values[start]), dark: Float(values[start + 1]))
    }

    var orientation: Orientation {
        (main.integer(.orientation) ?? raw.integer(.orientation)).flatMap { Orientation(rawValue: $0) } ?? .upright
    }
}

extension DNGFacts {
    /// Whether the samples are integers that the file's fields describe.
    var hasPlainSamples: Bool {
        let bits = raw.integers(.bitsPerSample) ?? [1]
        guard (raw.integer(.sampleFormat) ?? 1) == 1, (1...16).contains(bitsPerSample),
            bits.allSatisfy({ $0 == bitsPerSample })
        else { return false }
        return switch raw.compression {
        case TIFFCompression.none, TIFFCompression.jpeg, TIFFCompression.deflate: true
        case TIFFCompression.jpegXL: bitsPerSample == 8 || bitsPerSample == 16
        // LibRaw reads lossy JPEGs of three colours but ignores their table.
        case TIFFCompression.lossyJPEG: bitsPerSample == 8 && (isColourFilterArray || raw.has(.linearizationTable))
        default: false
        }
    }

    /// Lossy samples have no verifiable digest, because decoders round differently.
    var isLossy: Bool { [TIFFCompression.jpegXL, TIFFCompression.lossyJPEG].contains(raw.compression) }

    /// Order of interleaved rows and columns; nil if they are in sequence.
    func fields(in size: PixelSize) -> InterleavedFields? {
        let (rows, columns) = (raw.integer(.rowInterleaveFactor) ?? 1, raw.integer(.columnInterleaveFactor) ?? 1)
        guard rows != 1 || columns != 1 else { return nil }
        return InterleavedFields(width: size.width, height: size.height, rowFactor: rows, columnFactor: columns)
    }
}

extension DNGFacts {
    /// The error for codings that neither our unpackers nor this LibRaw can read, because LibRaw lacks a library or
    /// supports only three colours. Nil for other codings.
    var missingCoding: DecodeError? {
        switch raw.compression {
        case TIFFCompression.deflate: .unread("Deflate")
        case TIFFCompression.jpegXL: .unread("JPEG XL")
        case TIFFCompression.lossyJPEG where isColourFilterArray || bitsPerSample != 8: .unread("lossy JPEG")
        default: nil
        }
    }
}

extension DecodeError {
    fileprivate static func unread(_ coding: String) -> DecodeError {
        DecodeError(
            .unsupportedCamera,
            "This DNG uses an unsupported form of \(coding) compression. Save it as a DNG with lossless compression."
        )
    }
}
