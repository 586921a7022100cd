/// Metadata of a photo with a gain map and of the map, for readers of Ultra HDR 1.1 (Google and Adobe, `hdrgm` 1.0) and
/// ISO 21496-1. The map has one channel, linear in stops from 0, and no offsets.
public struct GainMapDescription: Sendable {
    /// Gain of the largest sample, in stops.
    public let maxStops: Double

    /// - Parameter maxStops: gain of the largest sample, above 0, in hundredths of a stop.
    public init(maxStops: Double) { self.maxStops = maxStops }

    private static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
    /// Signature of the ISO 21496-1 segment.
    public static let isoSignature = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    /// The photo's ISO 21496-1 payload: minimum and writer version.
    public static let isoVersions: [UInt8] = [0, 0, 0, 0]

    /// The map's XMP packet.
    public var packet: [UInt8] {
        let properties = [
            ("Version", "1.0"), ("GainMapMin", "0"), ("GainMapMax", "\(maxStops)"), ("Gamma", "1"), ("OffsetSDR", "0"),
            ("OffsetHDR", "0"), ("HDRCapacityMin", "0"), ("HDRCapacityMax", "\(maxStops)"),
            ("BaseRenditionIsHDR", "False"),
        ].map { " hdrgm:\($0)=\"\($1)\"" }
        return Array(
            """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>\
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description rdf:about="" xmlns:hdrgm="\(Self.namespace)"\(properties.joined())/></rdf:RDF></x:xmpmeta>\
            <?xpacket end="w"?>
            """.utf8)
    }

    /// The map's ISO 21496-1 payload after the signature: fractions of two big-endian 32-bit numbers.
    public var isoMetadata: [UInt8] {
        let stops: (UInt32, UInt32) = (UInt32((maxStops * 100).rounded()), 100)
        // Headroom of the photo and of the brightest display; minimum gain, maximum gain and gamma; offsets of the
        // photo and of its HDR version.
        let fractions: [(UInt32, UInt32)] = [(0, 1), stops, (0, 1), stops, (1, 1), (0, 1), (0, 1)]
        // One channel, in the photo's primaries.
        return Self.isoVersions + [0x40] + fractions.flatMap { Self.bytes($0.0) + Self.bytes($0.1) }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// Maximum number of bytes that `adding` adds to a packet.
    public static let containerBytes = 1024

    /// A photo's packet with a container directory that locates the map.
    ///
    /// - Parameters:
    ///   - packet: the photo's.
    ///   - mapBytes: size of the map, which follows the photo in its file.
    public static func adding(mapBytes: Int, to packet: [UInt8]) -> [UInt8] {
        let item = { (attributes: String) in
            "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Mime=\"image/jpeg\" \(attributes)/></rdf:li>"
        }
        let end = Array("</rdf:RDF>".utf8)
        let container = """
            <rdf:Description rdf:about="" xmlns:hdrgm="\(namespace)" \
            xmlns:Container="http://ns.google.com/photos/1.0/container/" \
            xmlns:Item="http://ns.google.com/photos/1.0/container/item/" hdrgm:Version="1.0">\
            <Container:Directory><rdf:Seq>\(item("Item:Semantic=\"Primary\""))\
            \(item("Item:Semantic=\"GainMap\" Item:Length=\"\(mapBytes)\""))\
            </rdf:Seq></Container:Directory></rdf:Description>
            """
        var start = packet.count - end.count
        while start >= 0, !packet[start...].starts(with: end) { start -= 1 }
        guard start >= 0 else { return packet }
        return packet[..<start] + Array(container.utf8) + packet[start...]
    }
}
