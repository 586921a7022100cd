/// Makes a rendition's EXIF from what its RAW recorded.
///
/// What is kept, rewritten and dropped follows CIPA DC-008-2019 (Exif 2.32) for a compressed picture that is upright.
/// The bytes depend on the arguments alone: no clock is read.
public struct RenditionExif: Sendable {
    /// The payload of an APP1 segment ends here: its 16-bit length counts itself.
    public static let byteLimit = 65_533
    static let signature = Array("Exif\0\0".utf8)

    public var source: SourceMetadata
    /// Of the rendition, in pixels, at least 1.
    public var width: Int
    public var height: Int
    /// EXIF knows sRGB and "uncalibrated"; for the latter the ICC profile tells.
    public var isSRGB: Bool
    /// Name and version of this program.
    public var software: String
    /// A small JPEG of the rendition, at most 160 pixels a side by custom; nil for none.
    public var thumbnail: [UInt8]?

    public init(
        source: SourceMetadata, width: Int, height: Int, isSRGB: Bool, software: String, thumbnail: [UInt8]? = nil
    ) {
        self.source = source
        self.width = width
        self.height = height
        self.isSRGB = isSRGB
        self.software = software
        self.thumbnail = thumbnail
    }

    /// `Exif`, two zeros and a TIFF structure: at most `byteLimit` bytes.
    ///
    /// Where everything would be longer, the thumbnail goes first, then the longest of the RAW's own tags.
    public func payload() -> [UInt8] {
        var inherited = inheritedTags()
        var preview = thumbnail
        while true {
            let bytes = Self.signature + TIFFWriter(tags: inherited + ownTags(), thumbnail: preview).bytes()
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

    /// The tags that tell of the rendition itself.
    private func ownTags() -> [ExifTag] {
        [
            .short(.image, 0x0112, 1),  // Orientation: the pixels are upright
            // EXIF asks for 72 where the resolution is not known.
            .rational(.image, 0x011A, 72, 1), .rational(.image, 0x011B, 72, 1), .short(.image, 0x0128, 2),
            .text(.image, 0x0131, ExifText.trimmed(String(software.prefix(256))) ?? "Rawmill"),
            .short(.image, 0x0213, 1),  // YCbCrPositioning: centred
            .bytes(.photo, 0x9000, Array("0232".utf8)),  // ExifVersion
            .bytes(.photo, 0x9101, [1, 2, 3, 0]),  // ComponentsConfiguration: Y Cb Cr
            .bytes(.photo, 0xA000, Array("0100".utf8)),  // FlashpixVersion
            .short(.photo, 0xA001, isSRGB ? 1 : 0xFFFF),  // ColorSpace
            .long(.photo, 0xA002, UInt32(clamping: width)), .long(.photo, 0xA003, UInt32(clamping: height)),
        ]
    }

    /// The RAW's tags that a rendition keeps, each once, and the dates and names LibRaw found where EXIF has none.
    private func inheritedTags() -> [ExifTag] {
        var kept = KeptTags(source.exif)
        if kept[.image, 0x010F] == nil { kept.add(.image, 0x010F, text: source.make) }
        if kept[.image, 0x0110] == nil { kept.add(.image, 0x0110, text: source.model) }
        if kept[.photo, 0x9003] == nil, let captured = source.captured, ExifText.isDate(captured) {
            kept.add(.photo, 0x9003, text: captured)
        }
        // Never the time of rendering: the same inputs give the same bytes.
        if kept[.image, 0x0132] == nil, let original = kept[.photo, 0x9003]?.text {
            kept.add(.image, 0x0132, text: original)
            if let offset = kept[.photo, 0x9011]?.text { kept.add(.photo, 0x9010, text: offset) }
            if let fraction = kept[.photo, 0x9291]?.text { kept.add(.photo, 0x9290, text: fraction) }
        }
        return kept.tags
    }
}
