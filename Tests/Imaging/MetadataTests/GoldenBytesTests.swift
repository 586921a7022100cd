import Digest
import Manifests
import TIFF
import Testing

@testable import Metadata

/// Golden bytes: a change here changes every rendition, and needs a new engine version.
struct GoldenBytesTests {
    private let expected = [
        #"<?xpacket begin="\#u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>"#,
        #"<x:xmpmeta"#,
        #"xmlns:x="adobe:ns:meta/" x:xmptk="Exempi + XMP Core 6.0.0">"#,
        #"<rdf:RDF"#,
        #"xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#,
        #"<rdf:Description rdf:about="""#,
        #"xmlns:xmp="http://ns.adobe.com/xap/1.0/""#,
        #"xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/""#,
        #"xmlns:stRef="http://ns.adobe.com/xap/1.0/sType/ResourceRef#""#,
        #"xmlns:rawmill="http://rawmill.org/ns/1.0/""#,
        #"xmp:CreatorTool="Rawmill 1""#,
        #"xmpMM:DocumentID="rawmill:abababababababababababababababababababababababababababababababab""#,
        #"xmpMM:OriginalDocumentID="sha256:0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f""#,
        #"rawmill:packetVersion="1""#,
        #"rawmill:key="abababababababababababababababababababababababababababababababab""#,
        #"rawmill:asset="0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f""#,
        #"rawmill:frame="0""#,
        #"rawmill:engine="1""#,
        #"rawmill:recipe="1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e""#,
        #"rawmill:formatIdentifier="org.rawmill.recipe""#,
        #"rawmill:formatVersion="1.0""#,
        #"rawmill:data="look=velvet@2&#xA;exposure=0.5&#xA;""#,
        #"rawmill:look="velvet""#,
        #"rawmill:lookVersion="2""#,
        #"rawmill:lookSHA256="7777777777777777777777777777777777777777777777777777777777777777""#,
        #"rawmill:photoBase="IMG_0001""#,
        #"rawmill:width="6000""#,
        #"rawmill:height="4000""#,
        #"rawmill:make="Example""#,
        #"rawmill:model="Example One""#,
        #"rawmill:captured="2024:05:01 10:00:00""#,
        #"rawmill:degraded="no colours""#,
        #"rawmill:sourceRoot="archive""#,
        #"rawmill:sourcePath="2024/05/IMG_0001.NEF""#,
        #"rawmill:sourceBytes="26123456""#,
        #"rawmill:sourceModifiedNanoseconds="1714557600123456789">"#,
        #"<xmpMM:DerivedFrom"#,
        #"stRef:documentID="sha256:0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f""#,
        #"stRef:filePath="archive:2024/05/IMG_0001.NEF"/>"#,
        #"</rdf:Description>"#,
        #"</rdf:RDF>"#,
        #"</x:xmpmeta>"#,
        #"<?xpacket end="r"?>"#,
    ]

    @Test("A rendition's packet has its golden text")
    func packet() throws {
        let toolkit = try XMPToolkit()
        var one = identity()
        one.degraded = "no colours"
        let bytes = try toolkit.packet(identity: one, inherited: InheritedXMP(), creatorTool: "Rawmill 1")
        #expect(String(decoding: bytes, as: UTF8.self) == expected.joined(separator: " "))
    }

    @Test("A rendition's EXIF has its golden bytes")
    func exif() {
        let block = RenditionExif(
            source: source([
                .text(.photo, .dateTimeOriginal, "2024:05:01 10:00:00"), .rational(.photo, .exposureTime, 1, 250),
            ]),
            width: 48, height: 32, isSRGB: true, software: "Rawmill 1")
        #expect(
            SHA256Value(of: block.payload()).description
                == "8c74849efc506384982de67212863a0cc9b9cc5aacb4248056ca6d0f747e22ad")
    }
}
