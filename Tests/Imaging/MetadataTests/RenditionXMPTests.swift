import ExternalTools
import Manifests
import SeededRandom
import Testing

@testable import Metadata

struct RenditionXMPTests {
    let toolkit: XMPToolkit

    init() throws { toolkit = try XMPToolkit() }

    private func packet(_ identity: RenditionIdentity, _ inherited: InheritedXMP = InheritedXMP()) throws -> [UInt8] {
        try toolkit.packet(identity: identity, inherited: inherited, creatorTool: "Rawmill 1")
    }

    @Test("A rendition's identity survives a round trip, with and without its optional parts")
    func roundTrips() throws {
        var full = identity()
        full.degraded = "the camera's colours are not known"
        full.companion = full.original
        full.companionDigest = String(repeating: "9c", count: 32)
        for var one in [identity(), full] {
            let file = try photo(exif: rendition().payload(), xmp: packet(one))
            one.facts = rendition().facts(after: one.facts)
            #expect(one.lensName == "35mm f/2" && one.iso == 400 && one.exposureSeconds == 1.0 / 250)
            #expect(one.aperture == 28.0 / 5 && one.focalLength == 35 && one.focalLength35 == 52)
            #expect(try toolkit.identity(from: PhotoBytes(Array(file.prefix(JPEGMetadata.prefixByteCount)))) == one)
        }
    }

    @Test(
        "Texts and paths of any kind survive a round trip",
        arguments: [
            "", " ", "  two  ", "\t\n", "\r\n", "a\u{0}b", "\u{1}\u{1F}\u{7F}\u{85}\u{2028}", "%", "%41%zz", "]]>",
            "<rdf:li>&amp;&#65;</rdf:li>", "\"quoted\" 'twice'", "日本語 🏞️ e\u{301} é", "\u{FFFE}\u{FFFF}\u{FFFD}\u{FEFF}",
            "<?xpacket end=\"w\"?>", "\u{10FFFF}\u{1FFFE}\u{E000}",
        ])
    func keepsText(text: String) throws {
        var one = identity()
        one.adjustment.data = text
        one.adjustment.formatIdentifier = text
        one.degraded = text
        one.captured = text
        one.make = text
        one.model = text
        one.original.path = Array(text.utf8)
        let back = try toolkit.identity(fromPacket: packet(one))
        #expect(back == one)
        #expect(Array(back.adjustment.data.utf8) == Array(text.utf8), "no normalisation")
    }

    @Test("Random texts and path bytes survive a round trip", arguments: 1...10)
    func keepsRandomText(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var one = identity()
            let length = Int.random(in: 0...60, using: &generator)
            one.original.path = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            one.photoBase = one.original.path.reversed()
            var text = String.UnicodeScalarView()
            for _ in 0..<length {
                let range: ClosedRange<UInt32> = Bool.random(using: &generator) ? 0...0x7F : 0...0x10FFFF
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
            }
            one.adjustment.data = String(text)
            one.original.modifiedNanoseconds = .random(in: .min ... .max, using: &generator)
            one.original.sizeBytes = .random(in: 0 ... .max, using: &generator)
            let back = try toolkit.identity(fromPacket: packet(one))
            #expect(back == one)
            #expect(Array(back.adjustment.data.utf8) == Array(one.adjustment.data.utf8))
        }
    }

    @Test(
        "exiftool reads the identity, the origin and the creator, and finds the photo valid",
        .needs(.program("exiftool")))
    func isRead() throws {
        let bytes = try photo(exif: rendition().payload(), xmp: packet(identity()))
        #expect(try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: bytes) == "OK\n")
        let report = try ExternalTool.run(
            "exiftool",
            [
                "-s3", "-XMP-xmp:CreatorTool", "-DerivedFromFilePath", "-DerivedFromDocumentID",
                "-OriginalDocumentID", "-XMP-rawmill:Look", "-XMP-rawmill:FormatIdentifier",
            ], on: bytes)
        let raw = "sha256:" + identity().asset
        let expected = [
            "Rawmill 1", "archive:2024/05/IMG_0001.NEF", raw, raw, "velvet", "org.rawmill.recipe",
        ]
        #expect(report == expected.map { $0 + "\n" }.joined())
    }

    @Test("The same identity gives the same bytes after any foreign packets")
    func isDeterministic() throws {
        let before = try packet(identity())
        for prefix in ["rawmill", "lr", "xmp", "zz"] {
            let foreign = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                <rdf:Description rdf:about="" xmlns:\(prefix)="http://example.org/\(prefix)/" \(prefix):look="other"/>
                </rdf:RDF></x:xmpmeta>
                """
            _ = try toolkit.inherited(from: Array(foreign.utf8))
            #expect(throws: XMPError.notARendition) { try toolkit.identity(fromPacket: Array(foreign.utf8)) }
        }
        #expect(try packet(identity()) == before)
        #expect(before.count < 4000, "no padding")
    }

    @Test("A packet of another program, a JPEG without a packet, and another kind of file are distinguished")
    func namesTheProblem() throws {
        let plain = try photo()
        #expect(throws: XMPError.noPacket) { try toolkit.identity(from: PhotoBytes(plain)) }
        #expect(throws: XMPError.notAPhoto) { try toolkit.identity(from: PhotoBytes(Array("not a JPEG".utf8))) }
        let full = try photo(exif: rendition().payload(), xmp: packet(identity()))
        #expect(throws: XMPError.notAPhoto) { try toolkit.identity(from: PhotoBytes(Array(full.prefix(2000)))) }
        #expect(throws: XMPError.notAPhoto) { try toolkit.identity(from: PhotoBytes([])) }
        let text = String(decoding: try packet(identity()), as: UTF8.self)
        let damaged = text.replacing("rawmill:frame=\"0\"", with: "rawmill:frame=\"none\"")
        #expect(throws: XMPError.badField(name: "frame")) { try toolkit.identity(fromPacket: Array(damaged.utf8)) }
        let newer = text.replacing("rawmill:packetVersion=\"1\"", with: "rawmill:packetVersion=\"2\"")
        #expect(throws: XMPError.badField(name: "packetVersion")) {
            try toolkit.identity(fromPacket: Array(newer.utf8))
        }
    }

    @Test(
        "A rendition with overlong inherited texts drops the longest; its identity stays",
        .needs(.program("exiftool")))
    func shrinks() throws {
        let sidecar = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
            photoshop:City="Wien" photoshop:Headline="\(String(repeating: "h", count: 70_000))"/>
            </rdf:RDF></x:xmpmeta>
            """
        let bytes = try packet(identity(), toolkit.inherited(from: Array(sidecar.utf8)))
        #expect(bytes.count <= XMPToolkit.packetLimit)
        #expect(try toolkit.identity(fromPacket: bytes) == identity())
        #expect(try ExternalTool.run("exiftool", ["-s3", "-City", "-Headline"], on: photo(xmp: bytes)) == "Wien\n")
        var endless = identity()
        endless.adjustment.data = String(repeating: "d", count: 70_000)
        #expect(throws: XMPError.self) { try packet(endless) }
    }
}
