import Jobs
import Testing

@Suite("Names of companions") struct CompanionNameTests {
    @Test(
        "Sidecars, camera JPEGs and sound belong to the RAW with their base name or full name; other RAWs do not",
        arguments: [
            ("IMG_1.xmp", true), ("IMG_1.CR2.xmp", true), ("IMG_1.JPG", true), ("IMG_1.wav", true),
            ("IMG_1.CR2.pp3", true),
            ("IMG_1.CR2", false), ("IMG_1.dng", false), ("IMG_10.JPG", false), ("IMG_1", false), ("IMG_1.", false),
            ("IMG_1.neutral.jpg", false), (".jpg", false), ("", false),
        ])
    func belongs(name: String, belongs: Bool) {
        #expect(CompanionName.belongs(Array(name.utf8), to: Array("IMG_1.CR2".utf8)) == belongs)
    }

    @Test(
        "Companions take the RAW's current name",
        arguments: [
            ("IMG_1.JPG", "IMG_1 (2).JPG"), ("IMG_1.CR2.xmp", "IMG_1 (2).CR2.xmp"), ("IMG_1.xmp", "IMG_1 (2).xmp"),
            ("IMG_2.JPG", nil),
        ])
    func renamed(name: String, new: String?) {
        let found = CompanionName.renamed(
            Array(name.utf8), of: Array("IMG_1.CR2".utf8), to: Array("IMG_1 (2).CR2".utf8))
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == new)
    }

    @Test("Names without a dot, of dots alone, and not in UTF-8 do not trap")
    func odd() {
        let names: [[UInt8]] = [
            [], [0x2e], [0x2e, 0x2e], [0x61], [0xff, 0x2e, 0x6a, 0x70, 0x67], [0x2e, 0x6a, 0x70, 0x67],
        ]
        for raw in names {
            for name in names where CompanionName.belongs(name, to: raw) {
                #expect(CompanionName.renamed(name, of: raw, to: [0x62]) != nil)
            }
        }
    }
}
