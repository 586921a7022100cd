import CLibRaw
import Pixels

/// One frame of a file, opened in LibRaw.
struct Frame: ~Copyable {
    let raw: LibRawHandle
    let tags: [TagCollector.MetTag]

    init(_ index: Int, of bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws(DecodeError) {
        let raw = try LibRawHandle()
        let collector = TagCollector(bytes: bytes)
        let status = raw.open(bytes, frame: index, limits: limits, tags: collector)
        guard status == .success else { throw identifyFailure(status, bytes: bytes) }
        guard index >= 0, index < max(1, Int(raw.facts.frameCount)) else {
            throw .corrupt("The file has no frame \(index + 1) any more.")
        }
        self.raw = raw
        tags = collector.met
    }

    /// Frames in the whole file.
    var count: Int { max(1, Int(raw.facts.frameCount)) }

    var sensorSize: PixelSize {
        let facts = raw.facts
        return PixelSize(width: Int(facts.rawWidth), height: Int(facts.rawHeight))
    }

    consuming func decode(limits: DecodeLimits) throws(DecodeError) -> SensorImage {
        // LibRaw's samples and our copy of them.
        try limits.check(sensor: sensorSize, bytesPerPixel: 4)
        let status = raw.unpack()
        guard status == .success else { throw unpackFailure(status) }
        guard raw.facts.dataErrors == 0 else { throw .corrupt("The samples in the file are damaged.") }
        let facts = try sensorFacts()
        return SensorImage(plane: try copiedPlane(), facts: facts)
    }

    private func copiedPlane() throws(DecodeError) -> Plane<UInt16> {
        guard case .single(let samples) = raw.samples else {
            throw .unsupported("The file holds samples in a form that is not understood.")
        }
        let size = sensorSize
        let strideSamples = Int(raw.facts.rawPitchBytes) / 2
        let plane = Plane<UInt16>(width: size.width, height: size.height)
        for y in 0..<size.height {
            plane.row(y).update(from: samples + y * strideSamples, count: size.width)
        }
        return plane
    }

    func sensorFacts() throws(DecodeError) -> SensorFacts {
        let facts = raw.facts
        let left = Int(facts.leftMargin)
        let top = Int(facts.topMargin)
        let pattern = CFAPattern(facts)
        guard let bayer = pattern.bayer(marginLeft: left, marginTop: top) else {
            throw .unsupported("The sensor is of a kind that is not understood.")
        }
        let black = LibRawBlack(raw)
        let levels = black.levels(marginLeft: left, marginTop: top) {
            pattern.colourIndex(row: $0, column: $1)
        }
        guard let levels else { throw .corrupt("The file's black levels make no sense.") }
        let white = Float(facts.maximum)
        return SensorFacts(
            layout: .bayer(bayer),
            crop: PixelRect(x: left, y: top, size: PixelSize(width: Int(facts.width), height: Int(facts.height))),
            black: levels, white: [white, white, white], whiteBalance: facts.whiteBalance,
            matrices: facts.tableMatrix.map { [$0] } ?? [], orientation: facts.orientation,
            pixelAspect: facts.pixelAspect, baselineExposure: 0,
            isoSpeed: facts.iso > 0 && facts.iso.isFinite ? facts.iso : nil)
    }
}
