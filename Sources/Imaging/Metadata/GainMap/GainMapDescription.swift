/// What a JPEG with a gain map and the map say of each other, for readers of Ultra HDR 1.1 (Google and Adobe, `hdrgm`
/// 1.0) and of ISO 21496-1. The map's samples are linear in stops from 0 on, in one channel, and nothing is added
/// before the gain.
public struct GainMapDescription: Sendable {
    /// Stops of the largest sample.
    public let maxStops: Double

    /// - Parameter maxStops: of the largest sample, above 0, in hundredths.
    public init(maxStops: Double) { self.maxStops = maxStops }

    private static let namespace = "http://ns.adobe.com/hdr-gain-map/1.0/"
    /// Begins the segment of ISO 21496-1.
    public static let isoSignature = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    /// What the photo says of ISO 21496-1: the versions that a reader needs and that wrote it.
    public static let isoVersions: [UInt8] = [0, 0, 0, 0]

    /// The map's own XMP packet.
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

    /// The map's segment of ISO 21496-1 after its signature: fractions of two 32-bit numbers, the higher byte first.
    public var isoMetadata: [UInt8] {
        let stops: (UInt32, UInt32) = (UInt32((maxStops * 100).rounded()), 100)
        // Headroom of the photo and of the brightest display; the map's smallest and largest gain and its gamma; what
        // is added to the photo and to its bright version.
        let fractions: [(UInt32, UInt32)] = [(0, 1), stops, (0, 1), stops, (1, 1), (0, 1), (0, 1)]
        // One channel, by the photo's own primaries.
        return Self.isoVersions + [0x40] + fractions.flatMap { Self.bytes($0.0) + Self.bytes($0.1) }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// Bytes that `adding` adds to a packet, at most.
    public static let containerBytes = 1024

    /// A photo's packet that tells where its map is.
    ///
    /// - Parameters:
    ///   - packet: the photo's.
    ///   - mapBytes: of the map, which follows the photo in its file.
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
