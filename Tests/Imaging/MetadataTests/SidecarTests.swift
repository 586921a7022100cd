import ExternalTools
import Manifests
import Testing

@testable import Metadata

struct SidecarTests {
    let toolkit: XMPToolkit

    init() throws { toolkit = try XMPToolkit() }

    private func sidecar(_ attributes: String, _ elements: String = "") -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
             xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:lr="http://ns.adobe.com/lightroom/1.0/"
             xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:darktable="http://darktable.sf.net/"
             \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    private let written = """
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Evening &amp; rain</rdf:li>
         <rdf:li xml:lang="de-DE">Abend</rdf:li><rdf:li xml:lang="fr-FR">Soir</rdf:li></rdf:Alt></dc:title>
        <dc:description><rdf:Alt><rdf:li xml:lang="x-default">A long day</rdf:li></rdf:Alt></dc:description>
        <dc:subject><rdf:Bag><rdf:li>lake</rdf:li><rdf:li>日本</rdf:li></rdf:Bag></dc:subject>
        <lr:hierarchicalSubject><rdf:Bag><rdf:li>place|lake</rdf:li></rdf:Bag></lr:hierarchicalSubject>
        <darktable:history><rdf:Seq><rdf:li>secret edits</rdf:li></rdf:Seq></darktable:history>
        """

    @Test("A sidecar's rating, label, title, description and keywords are read")
    func reads() throws {
        let read = try toolkit.inherited(from: sidecar("xmp:Rating=\"4\" xmp:Label=\"Red\"", written))
        #expect(read.rating == 4 && read.label == "Red" && read.title == "Evening & rain")
        #expect(read.caption == "A long day" && read.keywords == ["lake", "日本"])
    }

    @Test(
        "A sidecar's properties replace those of the RAW's packet; the others stay",
        .needs(.program("exiftool")))
    func overrides() throws {
        let raw = try toolkit.inherited(from: sidecar("xmp:Rating=\"1\" xmpMM:OriginalDocumentID=\"raw-id\"", written))
        let beside = try toolkit.inherited(
            from: sidecar("xmp:Rating=\"-1\" xmp:Label=\"Blue\" xmpMM:OriginalDocumentID=\"other\""))
        let both = raw.overridden(by: beside)
        #expect(both.rating == -1 && both.label == "Blue" && both.title == "Evening & rain")
        #expect(both.originalDocumentID == "raw-id")
        let packet = try toolkit.packet(identity: identity(), inherited: both, creatorTool: "Rawmill 1")
        let names = ["-Rating", "-Label", "-Title", "-Description", "-Subject", "-HierarchicalSubject"]
        let report = try ExternalTool.run(
            "exiftool", ["-s3", "-OriginalDocumentID"] + names, on: photo(xmp: packet))
        #expect(
            report == "raw-id\n-1\nBlue\nEvening & rain\nA long day\nlake, 日本\nplace|lake\n")
        #expect(
            try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: photo(xmp: packet))
                == "OK\n")
        #expect(try ExternalTool.run("exiftool", ["-s3", "-Title-de-DE"], on: photo(xmp: packet)) == "Abend\n")
        #expect(!String(decoding: packet, as: UTF8.self).contains("secret"), "other programs' edits stay behind")
        #expect(try toolkit.inherited(from: packet) == both, "a rendition's packet contains what it inherited")
    }

    @Test("Broken, foreign, huge, deep and disguised packets give errors that state the cause")
    func refuses() throws {
        func error(_ packet: [UInt8]) -> XMPError? {
            do { _ = try toolkit.inherited(from: packet) } catch { return error }
            return nil
        }
        let sound = sidecar("xmp:Rating=\"4\"", written)
        let deep = String(repeating: "<a>", count: 200_000)
        let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]>" + String(decoding: sound, as: UTF8.self)
        #expect(error(Array(sound.prefix(sound.count / 2))).map { "\($0)" }?.contains("damaged") == true)
        #expect(error(Array(deep.utf8)) == .tooDeep(limit: PacketValidation.depthLimit))
        #expect(error(Array(bomb.utf8)) == .hasDocumentType)
        #expect(error([UInt8](repeating: 0x20, count: PacketValidation.byteLimit + 1)) != nil)
        #expect(error([0xFF, 0xFE, 0x3C, 0x00]) == .notUTF8)
        #expect(error(sound + [0]) == .notUTF8)
        #expect(error([]) == .noPacket)
        #expect(error(Array("plain words".utf8)) != nil)
        #expect(error(sound) == nil)
    }

    @Test("Depth is counted after comments, quotes, processing instructions and character data")
    func countsDepth() {
        func marks(_ text: String) -> [MarkupScanner.Markup] {
            var scanner = MarkupScanner(bytes: Array(text.utf8))
            return Array(sequence(state: ()) { _ in scanner.next() })
        }
        #expect(marks("<a b='>'><c/></a>") == [.opening, .closing])
        #expect(marks("<!-- <a> --><?p <a>?><![CDATA[<a>]]><d>") == [.opening])
        #expect(marks("<!DOCTYPE a>") == [.documentType])
        #expect(marks("<!-- never closed <a>") == [] && marks("<") == [.opening] && marks("") == [])
    }

    @Test("Many threads may use the toolkit at once")
    func isThreadSafe() async throws {
        let packet = sidecar("xmp:Rating=\"4\"", written)
        let expected = try toolkit.packet(
            identity: identity(), inherited: toolkit.inherited(from: packet), creatorTool: "Rawmill 1")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let toolkit = try XMPToolkit()
                    for turn in 0..<20 {
                        let foreign = String(decoding: packet, as: UTF8.self)
                            .replacing("darktable.sf.net", with: "n\(number).t\(turn).example")
                        let read = try toolkit.inherited(from: Array(foreign.utf8))
                        let made = try toolkit.packet(
                            identity: identity(), inherited: read, creatorTool: "Rawmill 1")
                        guard made == expected else { return false }
                    }
                    return true
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }
}
