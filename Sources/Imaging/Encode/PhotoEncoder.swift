/// Encodes photos one after another, reusing the memory for JPEGs.
public struct PhotoEncoder: ~Copyable {
    private let jpegs = JPEGMemory()

    /// Allocates memory only on first use.
    public init() {}

    /// Begins a photo. An unfinished earlier photo is discarded.
    ///
    /// - Parameters:
    ///   - coding: format and settings.
    ///   - metadata: `exif` contains the photo's size. A JPEG's `xmp` has spare bytes for the gain map that follows it.
    ///   - threads: 1 or more, for formats encoded from the whole picture.
    ///   - file: must be empty.
    /// - Returns: a sink for strips of the coding's depth.
    /// - Throws: `qualityOutOfRange`, `tooLargeForFormat`, `fileFailed`, `outOfMemory`, and errors of zlib.
    public mutating func begin(
        _ coding: PhotoCoding, _ metadata: EmbeddedMetadata, threads: Int, file: any PhotoFile
    ) throws(EncodeError) -> any PictureSink {
        switch coding {
        case .jpeg(let coding): try JPEGSink(coding, metadata, jpegs, file: file)
        case .tiff: try LosslessSink(TIFFStripCoding(), metadata, file: file)
        case .png: try LosslessSink(PNGStripCoding(), metadata, file: file)
        case .avif(let coding): WholePictureSink(try AVIFPhoto(coding, metadata), file: file)
        case .jxl(let coding): WholePictureSink(try JXLPhoto(coding, metadata, threads: threads), file: file)
        }
    }
}
