import Manifests
import SeededRandom
import Testing

@testable import Metadata
import TIFF

@Suite("Keywords") struct KeywordTests {
    private let toolkit: XMPToolkit

    init() throws { toolkit = try XMPToolkit() }

    private func inherited(_ words: [String], hierarchies: [String] = []) throws -> InheritedXMP {
        func bag(_ name: String, _ items: [String]) -> String {
            "<\(name)><rdf:Bag>" + items.map { "<rdf:li>\($0)</rdf:li>" }.joined() + "</rdf:Bag></\(name)>"
        }
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmlns:lr="http://ns.adobe.com/lightroom/1.0/">\(bag("dc:subject", words))
            \(bag("lr:hierarchicalSubject", hierarchies))</rdf:Description></rdf:RDF></x:xmpmeta>
            """
        return try toolkit.inherited(from: Array(packet.utf8))
    }

    @Test("The library's keywords are the plain ones and each part of hierarchies, each once")
    func hierarchies() throws {
        let read = try inherited(["lake", "日本"], hierarchies: ["place|Europe|Lake", "place|日本"])
        #expect(read.allKeywords.words == ["lake", "日本", "place", "Europe"])
        #expect(try inherited([]).allKeywords == Keywords())
    }

    @Test("Hostile keywords are limited to one line each, and leave the others in the photo")
    func hostile() throws {
        let markup = "&lt;script&gt;alert(1)&lt;/script&gt;"
        let words = ["lake", markup, "a&#x9;b\u{85}\u{2028} c", " ", String(repeating: "ü", count: 500_000), "last"]
        let read = try inherited(words)
        let identity = try toolkit.identity(
            fromPacket: toolkit.packet(identity: identity(), inherited: read, creatorTool: "Rawmill"))
        #expect(identity.keywords?.words == ["lake", "<script>alert(1)</script>", "a b c", "last"])
        #expect(identity.keywords == read.allKeywords)

        let many = try inherited((0..<10_000).map { "keyword \($0)" }).allKeywords
        #expect(many.words.count == Keywords.maxCount && many.words.last == "keyword 199")
        #expect(Keywords(text: many.text) == many)
        let long = Keywords((0..<100).map { "\($0) " + String(repeating: "é", count: 100) })
        #expect(long.text.utf8.count <= Keywords.maxBytes && long.words.count > 30)
        #expect(long.words.allSatisfy { $0.utf8.count <= Keywords.maxWordBytes && !$0.contains("\u{FFFD}") })
        #expect(Keywords(["\0\n\r", "A", "a", "x\ny"]).words == ["A", "x y"])
    }

    private func field(_ tag: TIFFTag, _ type: FieldType, _ value: [UInt8]) -> ExifField {
        ExifField(directory: .image, tag: tag, type: type, value: value)
    }

    @Test("Fields of the RAW give stars and keywords only if its packet has none")
    func fields() throws {
        let block: [UInt8] =
            [0x1C, 1, 90, 0, 3, 0x1B, 0x25, 0x47, 0x1C, 2, 25, 0, 4] + Array("lake".utf8)
            + [0x1C, 2, 5, 0, 1, 0x41, 0x1C, 2, 25, 0, 2, 0x53, 0xE9]
        let windows = field(.xpKeywords, .byte, "sea; 日本;\0".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        let five = field(.rating, .short, [5, 0])
        let read = InheritedXMP().completed(by: [five, field(.iptc, .undefined, block), windows])
        #expect(read.rating == 5 && read.keywords == ["lake", "Sé"])
        #expect(InheritedXMP().completed(by: [windows]).keywords == ["sea", "日本"])
        #expect(try inherited(["own"]).completed(by: [field(.iptc, .undefined, block)]).keywords == ["own"])

        // In a big-endian file, 32-bit numbers.
        let padded = block + [UInt8](repeating: 0, count: (4 - block.count % 4) % 4)
        let turned = stride(from: 0, to: padded.count, by: 4).flatMap { padded[$0..<($0 + 4)].reversed() }
        #expect(InheritedXMP().completed(by: [field(.iptc, .long, turned)]).keywords == ["lake", "Sé"])

        for (percent, stars) in [1: 1, 25: 2, 50: 3, 75: 4, 99: 5, 0: 0, 101: 0] {
            let field = field(.ratingPercent, .short, [UInt8(percent), 0])
            #expect(InheritedXMP().completed(by: [field]).rating == stars)
        }
        for rating: UInt8 in [0, 6, 255] {
            #expect(InheritedXMP().completed(by: [field(.rating, .short, [rating, 0])]) == InheritedXMP())
        }
    }

    @Test("An IPTC block may contain any bytes")
    func damagedBlocks() {
        var random = SeededGenerator()
        print("blocks of IPTC: seed \(random.seed)")
        let head: [UInt8] = [0x1C, 2, 25, 0, 4]
        for count in 0..<300 {
            let rest = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            for type in [FieldType.long, .undefined] {
                _ = IPTCKeywords.read(field(.iptc, type, head + rest))
                _ = IPTCKeywords.read(field(.iptc, type, Array((head + rest).prefix(count / 8))))
            }
        }
        #expect(IPTCKeywords.read(field(.iptc, .undefined, [0x1C, 2, 25, 0xFF, 0xFF])).isEmpty)
        #expect(IPTCKeywords.read(field(.iptc, .undefined, head + Array("lake".utf8))) == ["lake"])
    }
}
