internal import TIFF

/// The part of a TIFF photo before its strips: header, main directory with all metadata, Exif and GPS directories (TIFF
/// Revision 6.0; ISO 12234-2 for tag 34675; XMP part 3 for tag 700).
///
/// Samples are little-endian 16-bit R′G′B′ in uncompressed strips.
public struct TIFFPhotoHead: Sendable {
    /// Fields that do not depend on the offsets of strips.
    private let fields: [ExifField]
    private let width: Int
    private let height: Int
    private let rowsPerStrip: Int

    /// - Parameters:
    ///   - exif: contains the photo's size.
    ///   - xmp: the packet.
    ///   - profile: the ICC profile.
    ///   - rowsPerStrip: rows of every strip but the last.
    public init(exif: RenditionExif, xmp: [UInt8], profile: [UInt8], rowsPerStrip: Int) {
        width = exif.width
        height = exif.height
        self.rowsPerStrip = rowsPerStrip
        fields =
            exif.tiffFields() + [
                .long(.image, .imageWidth, UInt32(clamping: exif.width)),
                .long(.image, .imageLength, UInt32(clamping: exif.height)),
                .short(.image, .bitsPerSample, 16, 16, 16),
                // 1: uncompressed.
                .short(.image, .compression, 1),
                // 2: RGB.
                .short(.image, .photometricInterpretation, 2),
                .short(.image, .samplesPerPixel, 3),
                .long(.image, .rowsPerStrip, UInt32(clamping: rowsPerStrip)),
                // 1: the samples of a pixel are contiguous.
                .short(.image, .planarConfiguration, 1),
                // 1: unsigned integers.
                .short(.image, .sampleFormat, 1, 1, 1),
                ExifField(directory: .image, tag: .xmp, type: .byte, value: xmp),
                .bytes(.image, .iccProfile, profile),
            ]
    }

    /// The bytes, after which the strips follow.
    public func bytes() -> [UInt8] { bytes(stripsFrom: bytes(stripsFrom: 0).count) }

    private func bytes(stripsFrom start: Int) -> [UInt8] {
        let firstRows = Array(stride(from: 0, to: height, by: rowsPerStrip))
        let rowBytes = 6 * width
        let places = [
            (TIFFTag.stripOffsets, firstRows.map { start + $0 * rowBytes }),
            (.stripByteCounts, firstRows.map { min(rowsPerStrip, height - $0) * rowBytes }),
        ].map { tag, numbers in
            ExifField(
                directory: .image, tag: tag, type: .long,
                value: numbers.flatMap { ExifField.littleEndian(UInt32(clamping: $0)) })
        }
        return ExifBlockWriter(fields: fields + places, thumbnail: nil).bytes()
    }
}
