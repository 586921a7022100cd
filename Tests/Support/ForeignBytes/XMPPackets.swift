import Manifests
import Metadata

/// XMP packets of RAWs, sidecars and photos. Inherited properties can be written into a photo's packet.
struct XMPPackets: ForeignReader {
    let name = "xmp"
    private static let toolkit = Result { try XMPToolkit() }

    func read(_ bytes: [UInt8]) throws {
        let toolkit = try Self.toolkit.get()
        _ = try? toolkit.identity(fromPacket: bytes)
        let inherited = try toolkit.inherited(from: bytes)
        _ = (inherited.rating, inherited.label, inherited.title, inherited.caption, inherited.allKeywords)
        let packet = try toolkit.packet(
            identity: Self.identity, inherited: inherited.overridden(by: inherited), creatorTool: "Rawmill")
        let read = try? toolkit.identity(fromPacket: packet)
        // Its stars and keywords are the inherited ones, unless their texts were too long for the packet.
        var expected = Self.identity
        expected.rating = read?.rating == 0 ? 0 : inherited.rating
        expected.keywords = try toolkit.inherited(from: packet).allKeywords
        precondition(read == expected, "a photo's identity can be read with any inherited properties")
    }

    private static let identity = RenditionIdentity(
        key: String(repeating: "a", count: 64), asset: String(repeating: "b", count: 64), frame: 0,
        recipeID: String(repeating: "c", count: 64), adjustment: AdjustmentData(data: "recipe"), lookName: "neutral",
        lookVersion: 1, lookDigest: String(repeating: "d", count: 64), engine: "5",
        original: FileIdentity(root: "archive", path: Array("A.DNG".utf8), sizeBytes: 1, modifiedNanoseconds: 2),
        photoBase: Array("A".utf8), facts: PhotoFacts(make: "Maker", model: "Model", rating: 0, keywords: Keywords()),
        width: 3, height: 2)
}
