import CLibRaw
import PictureFormat
import Pixels

/// One frame of a file, opened in LibRaw, with the file's TIFF directories where it has them.
struct Frame: ~Copyable {
    let raw: LibRawHandle
    let tags: [TagCollector.MetTag]
    let bytes: UnsafeRawBufferPointer
    let tiff: TIFFFile?
    let dng: DNGFacts?

    init(_ index: Int, of bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws(DecodeError) {
        let raw = try LibRawHandle()
        let collector = TagCollector(bytes: bytes)
        let status = raw.open(bytes, frame: index, limits: limits, tags: collector)
        guard status == .success else { throw identifyFailure(status, bytes: bytes) }
        guard index >= 0, index < max(1, Int(raw.facts.frameCount)) else {
            throw .corrupt("The file has no picture number \(index + 1).")
        }
        let tiff = TIFFFile(bytes)
        if let foreign = foreignKind(of: bytes, tiff: tiff, facts: raw.facts) { throw .notRaw(foreign) }
        let dng = try dngFacts(tiff, frame: index)
        self.dng = dng
        self.raw = raw
        self.bytes = bytes
        self.tiff = tiff
        tags = collector.met
    }

    /// Frames in the whole file.
    var count: Int { max(1, Int(raw.facts.frameCount)) }

    var sensorSize: PixelSize {
        let facts = raw.facts
        return PixelSize(width: Int(facts.rawWidth), height: Int(facts.rawHeight))
    }

    /// Decompresses the samples. Every way ends in a plane and the facts that go with it.
    consuming func decode(_ options: DecodeOptions, limits: DecodeLimits) throws(DecodeError) -> SensorImage {
        try checkComplete()
        let way = self.way(options)
        try limits.check(sensor: sensorSize, bytesPerPixel: way.bytesPerPixel)
        if case .plain(let layout) = way, options.unpacker == .own,
            let image = try ownImage(layout, threads: options.threads)
        {
            return image
        }
        let status = raw.unpack()
        guard status == .success else { throw unpackFailure(status) }
        guard raw.facts.dataErrors <= 0 else { throw .corrupt("The samples in the file are damaged.") }
        try checkDigest()
        switch way {
        case .plain(let layout): return try plainImage(layout)
        case .interpolated(let toSRGB): return try interpolatedImage(toSRGB: toSRGB)
        }
    }
}

/// Which way samples are to go where there are several.
struct DecodeOptions {
    enum Unpacker {
        /// Our own where it can, else LibRaw.
        case own
        /// LibRaw alone, to judge our own by.
        case libRaw
    }

    var xTrans = XTransDelivery.interpolated
    var unpacker = Unpacker.own
    /// How many may share the work.
    var threads = 1
}

private func dngFacts(_ tiff: TIFFFile?, frame: Int) throws(DecodeError) -> DNGFacts? {
    guard let tiff else { return nil }
    guard !tiff.isShattered else { throw .contradiction }
    return try DNGFacts(tiff, frame: frame)
}

/// How samples become a plane.
enum DecodeWay: Hashable {
    /// As the sensor gave them.
    case plain(SensorLayout)
    /// Through LibRaw's own interpolation, to camera colours or, for four colours, to linear sRGB.
    case interpolated(toSRGB: Bool)

    /// What LibRaw and we hold at the peak.
    var bytesPerPixel: Int {
        switch self {
        case .plain(.linearRGB): 8 + 6
        case .plain: 2 + 2
        // The raw samples, LibRaw's picture and its working copy, and our plane.
        case .interpolated: 2 + 8 + 8 + 6
        }
    }
}

extension Frame {
    func way(_ options: DecodeOptions) -> DecodeWay {
        let facts = raw.facts
        guard facts.fujiWidth == 0, facts.isFoveon == 0 else { return .interpolated(toSRGB: false) }
        guard facts.colours <= 3 else { return .interpolated(toSRGB: true) }
        guard let layout = dng?.layout(in: sensorSize) ?? facts.layout else { return .interpolated(toSRGB: false) }
        if case .xTrans(let pattern) = layout, options.xTrans == .interpolated || !isXTrans(pattern) {
            return .interpolated(toSRGB: false)
        }
        return .plain(layout)
    }
}

extension CLibRawFacts {
    /// What the samples see, over the whole plane; nil where only LibRaw knows how to look at them.
    var layout: SensorLayout? {
        if filters == 0 { return colours == 1 ? .monochrome : colours == 3 ? .linearRGB : nil }
        if let pattern = xTransPattern { return .xTrans(pattern) }
        return CFAPattern(self).bayer(marginLeft: Int(leftMargin), marginTop: Int(topMargin)).map { .bayer($0) }
    }
}
