import Metadata

/// Metadata before the image data, in the order that EXIF requires: EXIF, XMP, ICC, then the gain map's segments.
public struct JPEGSegments: Sendable {
    /// A whole EXIF payload: `Exif`, two zeros and a TIFF structure; at most 65,533 bytes.
    public var exif: [UInt8]?
    /// An XMP packet in UTF-8; at most 65,504 bytes.
    public var xmp: [UInt8]?
    /// Whether the ICC profile is embedded. Only EXIF thumbnails omit it.
    public var isTagged: Bool

    /// The file's part in an Ultra HDR photo; nil for ordinary photos.
    public var gainMap: GainMap?

    /// The part of a JPEG in an Ultra HDR photo.
    public enum GainMap: Sendable {
        /// A photo, followed by this gain map as a complete JPEG.
        case following([UInt8])
        /// A gain map, with its ISO 21496-1 metadata.
        case own([UInt8])
    }

    /// Creates segments from their properties.
    public init(exif: [UInt8]?, xmp: [UInt8]?, isTagged: Bool = true, gainMap: GainMap? = nil) {
        self.gainMap = gainMap
        self.exif = exif
        self.xmp = xmp
        self.isTagged = isTagged
    }

    /// No metadata: for the thumbnail inside EXIF.
    public static let bare = JPEGSegments(exif: nil, xmp: nil, isTagged: false)
    /// Only the colour profile.
    public static let onlyProfile = JPEGSegments(exif: nil, xmp: nil)

    /// SOI and all segments, as in the file.
    ///
    /// - Parameter profile: the ICC profile, written as one APP2 chunk; nil for none.
    func header(profile: [UInt8]?) throws(EncodeError) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        if let exif { try Self.append(&bytes, "EXIF", marker: 0xE1, signature: [], payload: exif) }
        if let xmp { try Self.append(&bytes, "XMP", marker: 0xE1, signature: Self.xmpSignature, payload: xmp) }
        if let profile {
            // Chunk 1 of 1 (ICC.1:2010, annex B.4): our profiles are far smaller than a segment.
            let signature = Self.iccSignature + [1, 1]
            try Self.append(&bytes, "ICC", marker: 0xE2, signature: signature, payload: profile)
        }
        let iso = GainMapDescription.isoSignature
        switch gainMap {
        case .own(let metadata): try Self.append(&bytes, "ISO 21496-1", marker: 0xE2, signature: iso, payload: metadata)
        case .following:
            try Self.append(
                &bytes, "ISO 21496-1", marker: 0xE2, signature: iso, payload: GainMapDescription.isoVersions)
            // The sizes are filled in later.
            try Self.append(
                &bytes, "MPF", marker: 0xE2, signature: MultiPictureIndex.signature,
                payload: Array(repeating: 0, count: MultiPictureIndex.byteCount))
        case nil: break
        }
        return bytes
    }

    static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    static let iccSignature = Array("ICC_PROFILE\0".utf8)

    private static func append(
        _ bytes: inout [UInt8], _ name: String, marker: UInt8, signature: [UInt8], payload: [UInt8]
    ) throws(EncodeError) {
        // A segment's length is 16 bits and counts its own two bytes.
        let limit = 65_533 - signature.count
        guard payload.count <= limit else {
            throw .segmentTooLarge(segment: name, bytes: payload.count, limit: limit)
        }
        let length = 2 + signature.count + payload.count
        bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]
        bytes += signature
        bytes += payload
    }
}
