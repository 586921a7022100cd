import Testing

@testable import Coordinator

@Suite("Names of files")
struct NameTests {
    @Test(
        "a RAW is recognised by its extension, in any case",
        arguments: [
            "a.CR2", "a.cr3", "a.Nef", "a.x3f", "a.3FR", "a.dng", "x.y.rw2", "a.iiq", "a.gpr", "a.RAW", "a.cine",
        ])
    func raw(name: String) { #expect(NameKind(name: Array(name.utf8)) == .raw) }

    @Test(
        "no other name is a RAW's",
        arguments: [
            "a.jpg", "a.tif", "a", ".cr2", "a.", "cr2", "a.cr2x", "a.cr2.xmp", "a.cr 2", "a.ｃr2", "a.toolongtobeone",
        ])
    func notRaw(name: String) { #expect(NameKind(name: Array(name.utf8)) != .raw) }

    @Test(
        "the files of one shot share a family name",
        arguments: [
            ("IMG_1.CR2", "IMG_1"), ("IMG_1.JPG", "IMG_1"), ("IMG_1.CR2.xmp", "IMG_1"), ("IMG_1.xmp", "IMG_1"),
            ("IMG_1.CR2.dng", "IMG_1"), ("IMG_1.x.CR2", "IMG_1.x"), ("IMG_1", "IMG_1"), ("notes.txt", "notes.txt"),
            ("PXL_1.RAW-01.COVER.jpg", "PXL_1"), ("PXL_1.RAW-02.ORIGINAL.dng", "PXL_1"),
            ("PXL_1.RAW-02.ORIGINAL.dng.xmp", "PXL_1"), (".CR2", ".CR2"), ("a.RAW-0", "a.RAW-0"),
        ])
    func family(name: String, expected: String) {
        let bytes = Array(name.utf8)
        #expect(String(decoding: bytes.prefix(FamilyName.length(of: bytes)), as: UTF8.self) == expected)
    }

    @Test("IMG.NEF.xmp is preferred to IMG.xmp as the sidecar")
    func sidecars() {
        let family = Family(names: ["IMG.CR2", "IMG.NEF", "IMG.NEF.xmp", "IMG.xmp"].map { Array($0.utf8) })
        #expect(family.sidecar(of: Array("IMG.NEF".utf8)) == 2)
        #expect(family.sidecar(of: Array("IMG.CR2".utf8)) == 3)
    }

    @Test("the camera's own JPEG is found, a Pixel's cover too")
    func companions() {
        let family = Family(names: ["I.CR2", "I.Jpeg"].map { Array($0.utf8) })
        #expect(family.companion(of: Array("I.CR2".utf8)) == 1)
        let pixel = Family(
            names: ["P.RAW-01.MP.COVER.jpg", "P.RAW-02.ORIGINAL.dng"].map { Array($0.utf8) })
        #expect(pixel.companion(of: Array("P.RAW-02.ORIGINAL.dng".utf8)) == 0)
        #expect(pixel.companion(of: Array("P.RAW-01.MP.COVER.jpg".utf8)) == nil)
    }

    @Test("photos are named by base name unless two RAWs would share it")
    func bases() {
        func bases(_ names: [String]) -> [String] {
            let family = Family(names: names.map { Array($0.utf8) })
            return family.photoBases(submitted: Array(names.indices)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(bases(["I.CR2"]) == ["I"])
        #expect(bases(["I.CR2", "I.NEF"]) == ["I.CR2", "I.NEF"])
        #expect(bases(["I.CR2", "I.cr2"]) == ["I.CR2", "I.cr2"])
        #expect(bases(["I.CR2", "I.CR2.dng", "I.NEF"]) == ["I.CR2", "I.CR2.dng", "I.NEF"])
        #expect(Set(bases(["I.CR2", "I.CR2.dng"])).count == 2)
    }
}
