public import PictureFormat
internal import TIFF
internal import Pixels

/// Writes Digital Negatives (Adobe, "Digital Negative Specification 1.4", 2012).
public struct DNGWriter: Sendable {
    /// Make, model and matrices.
    public var camera: SampleCamera
    /// Facts of the shot.
    public var shot = ShotFacts()
    /// Orientation of the camera.
    public var orientation = Orientation.upright
    /// The byte order of the file.
    public var littleEndian = true
    /// EXIF LightSource numbers of the matrices to write: 17 is standard light A, 21 is D65.
    public var illuminants: [UInt16] = [17, 21]
    /// As-shot neutral; nil writes none.
    public var neutral: [Float]?
    /// Baseline exposure, in stops.
    public var baselineExposure: Float = 0
    /// The embedded preview; nil for none.
    public var preview: Preview?
    /// Additional fields of the first directory; they replace the standard ones.
    var fields: [TIFFTag: TIFFValue] = [:]

    /// A JPEG preview.
    public struct Preview: Hashable, Sendable {
        /// The whole file.
        public let jpeg: [UInt8]
        /// Width and height in pixels.
        public let size: PixelSize

        /// - Parameters:
        /// - jpeg: the whole file.
        /// - size: width and height in pixels.
        public init(jpeg: [UInt8], size: PixelSize) {
            self.jpeg = jpeg
            self.size = size
        }
    }

    /// - Parameter camera: make, model, matrices and as-shot neutral.
    public init(camera: SampleCamera = SampleCamera()) {
        self.camera = camera
        neutral = camera.neutral
    }

    /// The whole file. The main directory holds the samples, or the preview if there is one.
    public func file(_ picture: borrowing DNGPicture) -> [UInt8] {
        let chunks = picture.chunks(littleEndian: littleEndian)
        let raw = picture.fields(firstChunk: 0, chunkBytes: chunks.map(\.count))
        return file(raws: [raw], chunks: chunks, channels: picture.layout.samplesPerPixel)
    }

    /// A file of two pictures, as from cameras that store two exposures of a shot together.
    public func file(_ first: borrowing DNGPicture, _ second: borrowing DNGPicture) -> [UInt8] {
        let chunks = first.chunks(littleEndian: littleEndian)
        let more = second.chunks(littleEndian: littleEndian)
        let raws = [
            first.fields(firstChunk: 0, chunkBytes: chunks.map(\.count)),
            second.fields(firstChunk: chunks.count, chunkBytes: more.map(\.count)),
        ]
        return file(raws: raws, chunks: chunks + more, channels: first.layout.samplesPerPixel)
    }

    private func file(raws: [ImageFileDirectory], chunks: [[UInt8]], channels: Int) -> [UInt8] {
        var chunks = chunks
        var raws = raws
        var main = raws.count == 1 && preview == nil ? raws[0] : ImageFileDirectory()
        // The digest of the first picture belongs in the main directory, wherever its samples are.
        main[.newRawImageDigest] = raws[0][.newRawImageDigest]
        raws[0][.newRawImageDigest] = nil
        addCommonFields(to: &main)
        if let preview {
            addPreview(preview, chunk: chunks.count, to: &main)
            chunks.append(preview.jpeg)
        }
        if preview != nil {
            main[.subIFDs] = .directories(raws)
        } else if raws.count > 1 {
            main.fields.merge(raws[0].fields) { $1 }
            main[.subIFDs] = .directories(Array(raws.dropFirst()))
        }
        return TIFFBuilder(littleEndian: littleEndian, chunks: chunks).file(main)
    }

    private func addCommonFields(to main: inout ImageFileDirectory) {
        main.fields.merge([
            .make: .ascii(camera.make),
            .model: .ascii(camera.model),
            .orientation: .shorts([UInt16(orientation.rawValue)]),
            .xResolution: .rationals([Rational(300, 1)]),
            .yResolution: .rationals([Rational(300, 1)]),
            .resolutionUnit: .shorts([2]),
            .software: .ascii("Rawmill"),
            .exifIFD: .directories([shot.exifDirectory]),
            .dngVersion: .bytes([1, 4, 0, 0]),
            .dngBackwardVersion: .bytes([1, 1, 0, 0]),
            .uniqueCameraModel: .ascii(camera.make + " " + camera.model),
            .baselineExposure: .signedRationals([Rational(baselineExposure, per: 100)]),
        ]) { $1 }
        main[.dateTime] = shot.captured.map { .ascii($0) }
        main[.artist] = shot.artist.map { .ascii($0) }
        main[.copyright] = shot.copyright.map { .ascii($0) }
        main[.xmp] = shot.xmp.map { .bytes($0) }
        main[.gpsIFD] = shot.gpsDirectory.map { .directories([$0]) }
        main[.asShotNeutral] = neutral.map { .rationals($0.map { Rational($0, per: 1_000_000) }) }
        addMatrices(to: &main)
        main.fields.merge(fields) { $1 }
    }

    private func addMatrices(to main: inout ImageFileDirectory) {
        for (index, illuminant) in illuminants.prefix(2).enumerated() {
            let matrix = illuminant == 17 ? camera.matrixA : camera.matrixD65
            main[index == 0 ? .colorMatrix1 : .colorMatrix2] = .signedRationals(matrix.elements.map { Rational($0) })
            main[index == 0 ? .calibrationIlluminant1 : .calibrationIlluminant2] = .shorts([illuminant])
        }
    }

    private func addPreview(_ preview: Preview, chunk: Int, to main: inout ImageFileDirectory) {
        main.fields.merge([
            .newSubfileType: .longs([1]),
            .imageWidth: .longs([UInt32(preview.size.width)]),
            .imageLength: .longs([UInt32(preview.size.height)]),
            .bitsPerSample: .shorts([8, 8, 8]),
            .compression: .shorts([DNGCompressionCode.jpeg]),
            .photometricInterpretation: .shorts([Photometric.yCbCr]),
            .samplesPerPixel: .shorts([3]),
            .planarConfiguration: .shorts([1]),
            .stripOffsets: .chunkOffsets(first: chunk, count: 1),
            .rowsPerStrip: .longs([UInt32(preview.size.height)]),
            .stripByteCounts: .longs([UInt32(preview.jpeg.count)]),
            .previewColorSpace: .longs([2]),
        ]) { $1 }
    }
}
