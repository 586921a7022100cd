public import PictureFormat
internal import Pixels

/// Writes Digital Negatives (Adobe, "Digital Negative Specification 1.4", 2012).
public struct DNGWriter: Sendable {
    public var camera: SampleCamera
    public var shot = ShotFacts()
    public var orientation = Orientation.upright
    public var littleEndian = true
    /// EXIF LightSource numbers of the camera's matrices that are written; D65 alone for `[21]`.
    public var illuminants: [UInt16] = [17, 21]
    /// As-shot neutral; nil writes none.
    public var neutral: [Float]?
    public var baselineExposure: Float = 0
    /// A finished JPEG and its size, to be embedded as the preview.
    public var preview: Preview?

    public struct Preview: Hashable, Sendable {
        public let jpeg: [UInt8]
        public let size: PixelSize

        public init(jpeg: [UInt8], size: PixelSize) {
            self.jpeg = jpeg
            self.size = size
        }
    }

    public init(camera: SampleCamera = SampleCamera()) {
        self.camera = camera
        neutral = camera.neutral
    }

    /// The whole file. The main directory holds the samples, or the preview where there is one.
    public func file(_ picture: borrowing DNGPicture) -> [UInt8] {
        let chunks = picture.chunks(littleEndian: littleEndian)
        let raw = picture.fields(firstChunk: 0, chunkBytes: chunks.map(\.count))
        return file(raws: [raw], chunks: chunks, channels: picture.layout.samplesPerPixel)
    }

    /// One file of two pictures, as cameras write that keep two exposures of a shot together.
    public func file(_ first: borrowing DNGPicture, _ second: borrowing DNGPicture) -> [UInt8] {
        let chunks = first.chunks(littleEndian: littleEndian)
        let more = second.chunks(littleEndian: littleEndian)
        let raws = [
            first.fields(firstChunk: 0, chunkBytes: chunks.map(\.count)),
            second.fields(firstChunk: chunks.count, chunkBytes: more.map(\.count)),
        ]
        return file(raws: raws, chunks: chunks + more, channels: first.layout.samplesPerPixel)
    }

    private func file(raws: [TIFFDirectory], chunks: [[UInt8]], channels: Int) -> [UInt8] {
        var chunks = chunks
        var raws = raws
        var main = raws.count == 1 && preview == nil ? raws[0] : TIFFDirectory()
        // The digest of the first picture stands in the main directory, wherever its samples are.
        main[51111] = raws[0][51111]
        raws[0][51111] = nil
        addCommonFields(to: &main)
        if let preview {
            addPreview(preview, chunk: chunks.count, to: &main)
            chunks.append(preview.jpeg)
        }
        if preview != nil {
            main[330] = .directories(raws)
        } else if raws.count > 1 {
            main.fields.merge(raws[0].fields) { $1 }
            main[330] = .directories(Array(raws.dropFirst()))
        }
        return TIFFBuilder(littleEndian: littleEndian, chunks: chunks).file(main)
    }

    private func addCommonFields(to main: inout TIFFDirectory) {
        main.fields.merge([
            271: .ascii(camera.make), 272: .ascii(camera.model), 274: .shorts([UInt16(orientation.rawValue)]),
            282: .rationals([Rational(300, 1)]), 283: .rationals([Rational(300, 1)]), 296: .shorts([2]),
            305: .ascii("Rawmill"), 34665: .directories([shot.exifDirectory]), 50706: .bytes([1, 4, 0, 0]),
            50707: .bytes([1, 1, 0, 0]), 50708: .ascii(camera.make + " " + camera.model),
            50730: .signedRationals([Rational(baselineExposure, per: 100)]),
        ]) { $1 }
        main[306] = shot.captured.map { .ascii($0) }
        main[315] = shot.artist.map { .ascii($0) }
        main[33432] = shot.copyright.map { .ascii($0) }
        main[700] = shot.xmp.map { .bytes($0) }
        main[34853] = shot.gpsDirectory.map { .directories([$0]) }
        main[50728] = neutral.map { .rationals($0.map { Rational($0, per: 1_000_000) }) }
        addMatrices(to: &main)
    }

    private func addMatrices(to main: inout TIFFDirectory) {
        for (index, illuminant) in illuminants.prefix(2).enumerated() {
            let matrix = illuminant == 17 ? camera.matrixA : camera.matrixD65
            main[50721 + UInt16(index)] = .signedRationals(matrix.elements.map { Rational($0) })
            main[50778 + UInt16(index)] = .shorts([illuminant])
        }
    }

    private func addPreview(_ preview: Preview, chunk: Int, to main: inout TIFFDirectory) {
        main.fields.merge([
            254: .longs([1]), 256: .longs([UInt32(preview.size.width)]), 257: .longs([UInt32(preview.size.height)]),
            258: .shorts([8, 8, 8]), 259: .shorts([7]), 262: .shorts([6]), 277: .shorts([3]), 284: .shorts([1]),
            273: .chunkOffsets(first: chunk, count: 1), 278: .longs([UInt32(preview.size.height)]),
            279: .longs([UInt32(preview.jpeg.count)]), 50970: .longs([2]),
        ]) { $1 }
    }
}
