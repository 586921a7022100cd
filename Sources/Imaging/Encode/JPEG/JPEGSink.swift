import Metadata
import Pixels

/// Makes a JPEG from 8-bit strips. The file stays in memory until it is complete, because its head holds the thumbnail,
/// which is made from the developed picture.
final class JPEGSink: PictureSink {
    private let coding: JPEGCoding
    private let metadata: EmbeddedMetadata
    private let memory: JPEGMemory
    private let file: any PhotoFile

    /// - Throws: `qualityOutOfRange`.
    init(
        _ coding: JPEGCoding, _ metadata: EmbeddedMetadata, _ memory: JPEGMemory, file: any PhotoFile
    ) throws(EncodeError) {
        guard (1...100).contains(coding.quality) else { throw .qualityOutOfRange(coding.quality) }
        self.coding = coding
        self.metadata = metadata
        self.memory = memory
        self.file = file
        memory.strips.begin(coding)
    }

    var encodingTime: Duration { memory.strips.encodingTime }

    /// Encodes a strip on the calling thread. `finish` throws the first error.
    func write(_ strip: PictureStrip) {
        switch strip {
        case .yCbCr(let strip): memory.strips.write(strip)
        case .rgb: memory.strips.fail(.wrongDepth)
        }
    }

    func finish(_ supplement: PhotoSupplement) throws(EncodeError) -> Int {
        var exif = metadata.exif
        exif.thumbnail = supplement.thumbnail
        let map = supplement.gainMap
        let xmp = map.map { GainMapDescription.adding(mapBytes: $0.count, to: metadata.xmp) } ?? metadata.xmp
        let segments = JPEGSegments(exif: exif.payload(), xmp: xmp, gainMap: map.map { .following($0) })
        let header = try segments.header(profile: metadata.profile)
        return try unsafe file.replace(with: memory.join(header, isProgressive: coding.isProgressive, gainMap: map))
    }
}
