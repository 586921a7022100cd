public import Manifests
internal import PictureFormat
internal import TIFF

/// A rendition's EXIF, made from what its RAW recorded.
///
/// What is kept, rewritten and dropped follows CIPA DC-008-2019 (Exif 2.32) for a compressed, upright picture: a JPEG,
/// or another kind of file. The bytes depend on the properties alone: no clock is read.
public struct RenditionExif: Sendable {
    /// The most that fits into an APP1 segment, whose 16-bit length counts itself.
    public static let byteLimit = 65_533
    static let signature = Array("Exif\0\0".utf8)

    /// What the RAW recorded.
    public var source: SourceMetadata
    /// The rendition's width in pixels, at least 1.
    public var width: Int
    /// The rendition's height in pixels, at least 1.
    public var height: Int
    /// True for sRGB. Any other colour space is "uncalibrated" in EXIF, and the ICC profile defines it.
    public var isSRGB: Bool
    /// Name and version of this program.
    public var software: String
    /// A small JPEG of the rendition, at most 160 pixels a side by custom; nil for none.
    public var thumbnail: [UInt8]?
    /// What it does not tell.
    public var stripped: StrippedDetails

    /// - Parameters:
    ///   - source: what the RAW recorded.
    ///   - width: of the rendition, in pixels.
    ///   - height: of the rendition, in pixels.
    ///   - isSRGB: whether its colour space is sRGB.
    ///   - software: name and version of this program.
    ///   - thumbnail: a small JPEG of the rendition.
    ///   - stripped: what it does not tell.
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

    /// What it says of the photo, added to what is known.
    public func facts(after known: PhotoFacts) -> PhotoFacts {
        var facts = known
        facts.read(inheritedFields())
        return facts
    }

    /// `Exif`, two zeros and a TIFF structure: at most `byteLimit` bytes.
    ///
    /// Where that is too little, the thumbnail is left out first, then the longest of the RAW's own fields.
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

    /// The same for a PNG of R′G′B′, which holds the TIFF structure alone: its `eXIf`, without a thumbnail.
    public func pngBlock() -> [UInt8] { ExifBlockWriter(fields: fields(for: .png), thumbnail: nil).bytes() }

    /// The same for an AVIF of Y′CbCr.
    public func avifBlock() -> [UInt8] { ExifBlockWriter(fields: fields(for: .avif), thumbnail: nil).bytes() }

    /// The same for a JPEG XL, which readers get R′G′B′ from.
    public func jxlBlock() -> [UInt8] { ExifBlockWriter(fields: fields(for: .jxl), thumbnail: nil).bytes() }

    /// All fields for a TIFF of R′G′B′, which is such a structure itself.
    func tiffFields() -> [ExifField] { fields(for: .tiff) }

    /// All fields, which take at most `byteLimit` bytes together.
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

    /// The fields that describe the rendition itself.
    private func ownFields(for format: PhotoFormat) -> [ExifField] {
        var fields: [ExifField] = [
            // The pixels are upright.
            .short(.image, .orientation, 1),
            // EXIF demands 72 per inch where the resolution is not known.
            .rational(.image, .xResolution, 72, 1), .rational(.image, .yResolution, 72, 1),
            .short(.image, .resolutionUnit, 2),
            .text(.image, .software, ExifText.trimmed(String(software.prefix(256))) ?? "Rawmill"),
            .bytes(.photo, .exifVersion, Array("0232".utf8)),
            .bytes(.photo, .flashpixVersion, Array("0100".utf8)),
            .short(.photo, .colorSpace, isSRGB ? 1 : 0xFFFF),
        ]
        // Centred.
        if format == .jpeg { fields.append(.short(.image, .yCbCrPositioning, 1)) }
        // A TIFF says these in its own fields.
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

    /// The RAW's fields that a rendition keeps, and the names and dates LibRaw found where EXIF has none.
    private func inheritedFields() -> [ExifField] {
        var inherited = InheritedExif(source.exif)
        if inherited[.image, .make] == nil { inherited.add(.image, .make, text: source.make) }
        if inherited[.image, .model] == nil { inherited.add(.image, .model, text: source.model) }
        if inherited[.photo, .dateTimeOriginal] == nil, let captured = source.captured, ExifText.isDate(captured) {
            inherited.add(.photo, .dateTimeOriginal, text: captured)
        }
        // Never the time of rendering: the same inputs must give the same bytes.
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
