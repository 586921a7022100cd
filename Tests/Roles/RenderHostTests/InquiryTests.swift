import Foundation
import Manifests
import PictureFormat
import Processes
import Testing

@testable import RenderHost
@testable import Samples

/// Questions to the render program, and its answers.
struct InquiryTests {
    private let program = RenderProgram(
        path: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "rawmill-render").path)

    @Test("The render program names its own libraries, with their files")
    func libraries() throws {
        let libraries = try program.libraries().libraries
        let raw = try #require(libraries.first { $0.name == "LibRaw" })
        #expect(raw.version?.hasPrefix("0.2") == true && raw.file?.contains("libraw_r.so") == true)
        #expect(libraries.allSatisfy { $0.file != nil }, "\(libraries)")
    }

    @Test("The render program names the cameras whose files it reads")
    func cameras() throws {
        let (cameras, libRaw) = try program.cameras()
        #expect(cameras.contains { $0.make == "Canon" && $0.unpacker == .rawmill && $0.hasColourMatrix })
        #expect(cameras.count > 1000 && libRaw.hasPrefix("0.2"))
    }

    @Test("Camera profiles are packed by their contents, and invalid ones are refused with the reason")
    func profiles() throws {
        let file = ProfileWriter(camera: "Canon EOS 5D").file()
        let one = try program.pack(.cameraProfile(file))
        #expect(one.suffix(file.count).elementsEqual(file))
        let several = try ["a", "b"].map { name in
            try program.pack(.cameraProfiles([RenderInquiry.NamedFile(name: name, bytes: file)]))
        }
        #expect(several[0] == several[1] && several[0] != one)
        #expect(throws: RenderInquiryRefusal("it is not a valid camera profile (DCP)")) {
            try program.pack(.cameraProfile([1, 2, 3]))
        }
        #expect(throws: RenderInquiryRefusal.self) { try program.pack(.cameraProfiles([])) }
    }

    @Test("A program that is missing or does not answer is named", arguments: ["/bin/true", "/nonexistent/render"])
    func none(path: String) throws {
        let error = try #require(throws: RenderInquiryError.self) { try RenderProgram(path: path).cameras() }
        #expect(error.description.contains(path))
    }
}
