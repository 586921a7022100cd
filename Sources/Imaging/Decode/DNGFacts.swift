import PictureFormat
import Pixels

/// What a DNG says of one of its pictures (Adobe, "Digital Negative Specification 1.4", 2012, chapters 2 to 6).
struct DNGFacts {
    /// The directory with the samples, and the file's main one.
    let raw: TIFFDirectory
    let main: TIFFDirectory
    let frame: Int

    /// The frame's directory: those with a full picture, in the file's order. Nil where the file is not a DNG.
    /// - Throws: `corrupt` where it is one and its picture is not to be found or its fields contradict one another.
    init?(_ file: TIFFFile, frame: Int) throws(DecodeError) {
        guard let main = file.directories.first, main.has(50706) || main.unreadable.contains(50706) else { return nil }
        let pictures = file.directories.filter { directory in
            let isSensor = [32803, 34892].contains(directory.integer(262))
            return isSensor && (directory.integer(254) ?? 0) == 0
        }
        guard pictures.indices.contains(frame) else { throw .contradiction }
        raw = pictures[frame]
        self.main = main
        self.frame = frame
        guard isSound else { throw .contradiction }
    }

    /// A field of the picture's directory, else of the main one.
    func reals(_ tag: Int) -> [Double]? { raw.reals(tag) ?? main.reals(tag) }

    var size: PixelSize? {
        guard let width = raw.integer(256), let height = raw.integer(257), width > 0, height > 0, width <= 65_535,
            height <= 65_535
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    var isLittleEndian: Bool { raw.isLittleEndian }

    /// A byte for each part: 0x01040000 is 1.4.
    var version: Int { (main.integers(50706) ?? []).prefix(4).reduce(0) { $0 << 8 | $1 } }

    var samplesPerPixel: Int { raw.integer(277) ?? 1 }
    var bitsPerSample: Int { raw.integer(258) ?? 1 }
    var compression: Int { raw.integer(259) ?? 1 }

    /// The lit part of the sensor.
    func activeArea(in size: PixelSize) -> PixelRect {
        let whole = PixelRect(x: 0, y: 0, size: size)
        guard let edges = raw.integers(50829), edges.count == 4, edges[0] < edges[2], edges[1] < edges[3],
            edges[2] <= size.height, edges[3] <= size.width
        else { return whole }
        return PixelRect(
            x: edges[1], y: edges[0], size: PixelSize(width: edges[3] - edges[1], height: edges[2] - edges[0]))
    }

    /// The picture to show, in the plane's own places; the active area where the file's crop does not fit in it.
    func crop(in size: PixelSize) -> PixelRect {
        let area = activeArea(in: size)
        guard let origin = raw.reals(50719), let extent = raw.reals(50720), origin.count == 2, extent.count == 2,
            (origin + extent).allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 65_536 })
        else { return area }
        let crop = PixelRect(
            x: area.x + Int(origin[0].rounded()), y: area.y + Int(origin[1].rounded()),
            size: PixelSize(width: Int(extent[0].rounded()), height: Int(extent[1].rounded())))
        let fits =
            crop.size.width > 0 && crop.size.height > 0 && crop.x + crop.size.width <= area.x + area.size.width
            && crop.y + crop.size.height <= area.y + area.size.height
        return fits ? crop : area
    }

    /// Nil for what only LibRaw's interpolation can show: four colours, two samples a pixel, diamond layouts.
    func layout(in size: PixelSize) -> SensorLayout? {
        guard raw.integer(262) == 32803 else {
            return samplesPerPixel == 1 ? .monochrome : samplesPerPixel == 3 ? .linearRGB : nil
        }
        guard samplesPerPixel == 1, (raw.integer(50711) ?? 1) == 1,
            (raw.integers(50710) ?? [0, 1, 2]) == [0, 1, 2], let period = raw.integers(33421), period.count == 2,
            period[0] == period[1], let pattern = raw.integers(33422), pattern.count == period[0] * period[0]
        else { return nil }
        let area = activeArea(in: size)
        let edge = period[0]
        let places = (0..<edge * edge).compactMap { index in
            let y = (index / edge - area.y % edge + edge) % edge
            let x = (index % edge - area.x % edge + edge) % edge
            return filter(pattern[y * edge + x])
        }
        guard places.count == edge * edge, Set(places).count == 3 else { return nil }
        switch edge {
        case 2 where isBayer(places): return .bayer(places)
        case 6: return .xTrans(places)
        default: return nil
        }
    }

    func filter(_ number: Int) -> CFAColour? { UInt8(exactly: number).flatMap { CFAColour(rawValue: $0) } }

    /// Width of a pixel over its height.
    var pixelAspect: Double {
        guard let scale = raw.reals(50718), scale.count == 2 else { return 1 }
        // A scale stretches: pixels that are to be shown twice as wide are twice as wide.
        let aspect = scale[0] / scale[1]
        return aspect.isFinite && (0.1...10).contains(aspect) ? aspect : 1
    }

    var baselineExposure: Float {
        guard let value = reals(50730)?.first, value.isFinite, abs(value) <= 10 else { return 0 }
        return Float(value)
    }

    var orientation: Orientation {
        (main.integer(274) ?? raw.integer(274)).flatMap { Orientation(rawValue: $0) } ?? .upright
    }
}

func isBayer(_ pattern: [CFAColour]) -> Bool {
    guard pattern.count == 4 else { return false }
    let greens = pattern[0] == .green ? [0, 3] : [1, 2]
    let others = pattern[0] == .green ? [1, 2] : [0, 3]
    return greens.allSatisfy { pattern[$0] == .green } && Set(others.map { pattern[$0] }) == [.red, .blue]
}

extension DNGFacts {
    /// Samples stand in the file as the sensor gave them: whole numbers, nothing lost.
    var hasPlainSamples: Bool {
        let bits = raw.integers(258) ?? [1]
        return [1, 7].contains(compression) && (raw.integer(339) ?? 1) == 1 && (1...16).contains(bitsPerSample)
            && bits.allSatisfy { $0 == bitsPerSample }
    }
}
