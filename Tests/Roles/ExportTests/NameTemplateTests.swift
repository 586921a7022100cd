import Jobs
import Manifests
import Testing

@testable import Export

@Suite("Names of exported photos") struct NameTemplateTests {
    private func name(_ template: String, _ shot: ExportedShot = ExportedShot(), label: String = "") throws -> String {
        let name = PhotoName(
            try NameTemplate(template), try shot.rendition, of: try shot.source, dir: Array(shot.dir.utf8), label: label
        )
        return String(decoding: name.path(attempt: 1), as: UTF8.self)
    }

    @Test(
        "A template's fields are the photo's",
        arguments: [
            ("{dir}/{base}.{look}.{ext}", "2024/may/IMG_1.mono.jpg"),
            ("{base}", "IMG_1.jpg"),
            ("{date}/{camera}-{base}", "2024-05-01/EOS R5-IMG_1.jpg"),
            ("{date:%Y}/{date:%m%d_%H.%M.%S}", "2024/0501_10.20.30.jpg"),
            ("{make}/{look}@{version}/{size}q{quality}/{base}_{frame}.{ext}", "Canon/mono@1/2400q80/IMG_1_1.jpg"),
        ])
    func fields(template: String, expected: String) throws { #expect(try name(template) == expected) }

    @Test(
        "Metadata never lead out of the folder",
        arguments: [
            ("../../etc", "..-..-etc/IMG_1.jpg"), ("..", "_/IMG_1.jpg"), ("/abs", "-abs/IMG_1.jpg"),
            ("a\u{0}b\nc", "a_b_c/IMG_1.jpg"), ("", "unknown/IMG_1.jpg"), (".", "_/IMG_1.jpg"),
        ])
    func hostileFields(camera: String, expected: String) throws {
        #expect(try name("{camera}/{base}", ExportedShot(model: camera)) == expected)
    }

    @Test("A template that leads out, has an unknown field or names all photos alike is refused")
    func refused() {
        for text in [
            "../{base}", "/tmp/{base}", "a/../{base}", "{base", "{nothing}", "{base:%Y}", "{date:%q}", "{date:%Y/%m}",
            "{camera}", "{base}/", "",
        ] {
            #expect(throws: NameTemplateError.self, "\(text)") { try NameTemplate(text) }
        }
    }

    @Test("A RAW's further pictures have their numbers, and a label precedes the extension")
    func frames() throws {
        #expect(try name("{base}.{look}", ExportedShot(frame: 1)) == "IMG_1.2.mono.jpg")
        #expect(try name("{date}", ExportedShot(frame: 1)) == "2024-05-01.2.jpg")
        #expect(try name("{base}-{frame}", ExportedShot(frame: 1)) == "IMG_1-2.jpg")
        #expect(try name("{base}.{look}", label: "2400px") == "IMG_1.mono.2400px.jpg")
    }

    @Test("A photo without a time is undated; a source folder itself adds no slash")
    func nothingKnown() throws {
        #expect(try name("{date}/{base}", ExportedShot(captured: nil)) == "undated/IMG_1.jpg")
        #expect(try name("{date}/{base}", ExportedShot(captured: "0000:00:00 00:00:00")) == "undated/IMG_1.jpg")
        #expect(try NameTemplate(NameTemplate.usual.description) == .usual)
        #expect(try name(NameTemplate.usual.description, ExportedShot(dir: "")) == "IMG_1.mono.jpg")
    }

    @Test("A long name is cut at a character, and keeps its number and extension")
    func long() throws {
        let shot = ExportedShot(base: String(repeating: "ä", count: 200))
        let name = PhotoName(
            try NameTemplate("{base}"), try shot.rendition, of: try shot.source, dir: [], label: "")
        for attempt in [1, 12] {
            let path = name.path(attempt: attempt)
            #expect(path.count <= 255 && String(validating: path, as: UTF8.self) != nil)
            #expect(String(decoding: path, as: UTF8.self).hasSuffix(attempt == 1 ? "ä.jpg" : "ä-12.jpg"))
        }
    }

    @Test("A photo's folder is the one below the innermost source; several sources have their own names")
    func dirs() throws {
        let root = try #require(RootName("raw"))
        let file = FileReference(root: root, path: try #require(RelativePath("2024/may/a.dng")))
        func dir(_ folders: [(String, String)]) throws -> String {
            let order = ExportOrder(
                template: .usual, conflict: .rename, label: "",
                folders: folders.map {
                    ExportOrder.Folder(root: root, path: Array($0.0.utf8), prefix: Array($0.1.utf8))
                })
            return String(decoding: order.dir(of: file), as: UTF8.self)
        }
        #expect(try dir([("", "")]) == "2024/may")
        #expect(try dir([("2024", "")]) == "may")
        #expect(try dir([("2024/may", "")]).isEmpty)
        #expect(try dir([("2024/may", "may"), ("2023", "2023")]) == "may")
        #expect(try dir([("2024", "2024"), ("20", "20")]) == "2024/may")
        #expect(try dir([]).isEmpty)
    }
}
