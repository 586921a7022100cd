/// Encodes one photo after another. Memory that JPEGs need stays for the next one.
public struct PhotoEncoder: ~Copyable {
    private let jpegs = JPEGMemory()

    /// An encoder without memory yet.
    public init() {}

    /// Begins a photo. The one before it must be complete, or is given up.
    ///
    /// - Parameters:
    ///   - coding: how the photo is coded.
    ///   - metadata: what the photo says of itself; `exif` has its size. A JPEG's `xmp` has spare bytes for the gain
    ///     map that
    ///     follows it.
    ///   - threads: to encode with, where the encoder looks at the whole picture; 1 or more.
    ///   - file: empty.
    /// - Returns: receives the strips, of the coding's depth.
    /// - Throws: `qualityOutOfRange`, `tooLargeForFormat`, `fileFailed`, `outOfMemory`, and what zlib may throw.
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
