public import Manifests
internal import PictureFormat
internal import TIFF

/// A rendition's EXIF, made from its RAW's.
///
/// The choice of fields follows CIPA DC-008-2019 (Exif 2.32) for upright pictures of each format. The bytes depend only
/// on the properties: no clock is read.
public struct RenditionExif: Sendable {
    /// Maximum of an APP1 segment, whose 16-bit length counts itself.
    public static let byteLimit = 65_533
    static let signature = Array("Exif\0\0".utf8)

    /// The RAW's metadata.
    public var source: SourceMetadata
    /// Width of the rendition in pixels, at least 1.
    public var width: Int
    /// Height of the rendition in pixels, at least 1.
    public var height: Int
    /// Whether the colour space is sRGB. EXIF calls all others "uncalibrated"; the ICC profile defines them.
    public var isSRGB: Bool
    /// Name and version of this program.
    public var software: String
    /// A JPEG of the rendition, by convention at most 160 pixels a side; nil for none.
    public var thumbnail: [UInt8]?
    /// Details to leave out.
    public var stripped: StrippedDetails

    /// Creates the EXIF from its properties.
    public init(
        source: SourceMetadata, width: Int, height: Int, isSRGB: Bool, software: String, thumbnail: [UInt8]? = nil,
        stripped: StrippedDetails = []
    ) {
        self.source = source
        self.width = width
        self.height = height
        self.isSRGB = isSRGB
        self.software = software
        self.thumbnail = thumbnail
        self.stripped = stripped
    }

    /// Adds the facts of this EXIF to known ones.
    public func facts(after known: PhotoFacts) -> PhotoFacts {
        var facts = known
        facts.read(inheritedFields())
        return facts
    }

    /// The payload of a JPEG's segment: `Exif`, two zeros and a TIFF structure; at most `byteLimit` bytes.
    ///
    /// To fit, the thumbnail is dropped first, then the longest inherited fields.
    public func payload() -> [UInt8] {
        var inherited = inheritedFields()
        var preview = thumbnail
        while true {
            let bytes =
                Self.signature
                + ExifBlockWriter(fields: inherited + ownFields(for: .jpeg), thumbnail: preview).bytes()
            if bytes.count <= Self.byteLimit { return bytes }
            if preview != nil {
                preview = nil
            } else if let longest = inherited.indices.max(by: { inherited[$0].value.count < inherited[$1].value.count })
            {
                inherited.remove(at: longest)
            } else {
                return []
            }
        }
    }

    /// The `eXIf` chunk of an R′G′B′ PNG: the TIFF structure, without a thumbnail.
    public func pngBlock() -> [UInt8] { ExifBlockWriter(fields: fields(for: .png), thumbnail: nil).bytes() }

    /// The EXIF of a Y′CbCr AVIF, as a TIFF structure.
    public func avifBlock() -> [UInt8] { ExifBlockWriter(fields: fields(for: .avif), thumbnail: nil).bytes() }

    /// The EXIF of a JPEG XL, which readers decode to R′G′B′, as a TIFF structure.
    public func jxlBlock() -> [UInt8] { ExifBlockWriter(fields: fields(for: .jxl), thumbnail: nil).bytes() }

    func tiffFields() -> [ExifField] { fields(for: .tiff) }

    /// All fields, limited to `byteLimit` bytes in total.
    private func fields(for format: PhotoFormat) -> [ExifField] {
        var inherited = inheritedFields()
        while true {
            let fields = inherited + ownFields(for: format)
            let byteCount = ExifBlockWriter(fields: fields, thumbnail: nil).bytes().count
            guard byteCount + Self.signature.count > Self.byteLimit,
                let longest = inherited.indices.max(by: { inherited[$0].value.count < inherited[$1].value.count })
            else { return fields }
            inherited.remove(at: longest)
        }
    }

    private func ownFields(for format: PhotoFormat) -> [ExifField] {
        var fields: [ExifField] = [
            .short(.image, .orientation, 1),
            // EXIF requires 72 per inch for an unknown resolution.
            .rational(.image, .xResolution, 72, 1), .rational(.image, .yResolution, 72, 1),
            .short(.image, .resolutionUnit, 2),
            .text(.image, .software, ExifText.trimmed(String(software.prefix(256))) ?? "Rawmill"),
            .bytes(.photo, .exifVersion, Array("0232".utf8)),
            .bytes(.photo, .flashpixVersion, Array("0100".utf8)),
            .short(.photo, .colorSpace, isSRGB ? 1 : 0xFFFF),
        ]
        // Centred.
        if format == .jpeg { fields.append(.short(.image, .yCbCrPositioning, 1)) }
        // TIFF has its own fields for these.
        if format != .tiff {
            fields += [
                .long(.photo, .pixelXDimension, UInt32(clamping: width)),
                .long(.photo, .pixelYDimension, UInt32(clamping: height)),
                // Y, Cb, Cr, none; or R, G, B, none.
                .bytes(
                    .photo, .componentsConfiguration, [.png, .jxl].contains(format) ? [4, 5, 6, 0] : [1, 2, 3, 0]),
            ]
        }
        return fields
    }

    /// The RAW's fields to keep, completed by LibRaw's names and dates where EXIF has none.
    private func inheritedFields() -> [ExifField] {
        var inherited = InheritedExif(source.exif)
        if inherited[.image, .make] == nil { inherited.add(.image, .make, text: source.make) }
        if inherited[.image, .model] == nil { inherited.add(.image, .model, text: source.model) }
        if inherited[.photo, .dateTimeOriginal] == nil, let captured = source.captured, ExifText.isDate(captured) {
            inherited.add(.photo, .dateTimeOriginal, text: captured)
        }
        // Never the time of rendering: the same input must give the same bytes.
        if inherited[.image, .dateTime] == nil, let original = inherited[.photo, .dateTimeOriginal]?.text {
            inherited.add(.image, .dateTime, text: original)
            if let offset = inherited[.photo, .offsetTimeOriginal]?.text {
                inherited.add(.photo, .offsetTime, text: offset)
            }
            if let fraction = inherited[.photo, .subSecTimeOriginal]?.text {
                inherited.add(.photo, .subSecTime, text: fraction)
            }
        }
        return inherited.fields.filter { !stripped.contains($0) }
    }
}
