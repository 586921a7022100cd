import Metadata

/// The metadata written before the image data, in the order EXIF asks for: EXIF, XMP, ICC; and last what tells of a
/// gain map.
public struct JPEGSegments: Sendable {
    /// A whole EXIF payload: `Exif`, two zeros and a TIFF structure; at most 65,533 bytes.
    public var exif: [UInt8]?
    /// An XMP packet in UTF-8; at most 65,504 bytes.
    public var xmp: [UInt8]?
    /// Whether the file carries the ICC profile of its colour space. Only a thumbnail inside EXIF does without.
    public var isTagged: Bool

    /// What it has to do with a gain map; nil for nothing.
    public var gainMap: GainMap?

    /// What a JPEG has to do with a gain map.
    public enum GainMap: Sendable {
        /// It is a photo, and the map follows it: a whole JPEG.
        case following([UInt8])
        /// It is the map itself, with its metadata of ISO 21496-1.
        case own([UInt8])
    }

    /// - Parameters:
    ///   - exif: nil for none.
    ///   - xmp: nil for none.
    ///   - isTagged: whether the file carries the ICC profile of its colour space.
    ///   - gainMap: what it has to do with a gain map; nil for nothing.
    public init(exif: [UInt8]?, xmp: [UInt8]?, isTagged: Bool = true, gainMap: GainMap? = nil) {
        self.gainMap = gainMap
        self.exif = exif
        self.xmp = xmp
        self.isTagged = isTagged
    }

    /// Only the image: for the thumbnail inside EXIF.
    public static let bare = JPEGSegments(exif: nil, xmp: nil, isTagged: false)
    /// The image and its colour profile.
    public static let onlyProfile = JPEGSegments(exif: nil, xmp: nil)

    /// SOI and all segments as the file holds them.
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
            // Its sizes are not known yet.
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
