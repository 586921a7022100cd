import Foundation
import PictureFormat
import Processes
import SeededRandom
import Testing

@testable import RenderHost
@testable import Samples

/// What the render program is asked, and what it answers.
struct InquiryTests {
    /// Built beside the tests.
    private let program = RenderProgram(
        path: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "rawmill-render").path)

    private static let inquiries: [RenderInquiry] = [
        .libraries, .cameras, .cameraProfile([1, 2, 3]), .cameraProfiles([]),
        .cameraProfiles([
            RenderInquiry.NamedFile(name: "ä", bytes: []), RenderInquiry.NamedFile(name: "b", bytes: [0, 255]),
        ]),
    ]
    private static let answers: [RenderInquiryAnswer] = [
        .libraries([], knowsCamerasAfter2020: true),
        .libraries(
            [
                LoadedLibrary(name: "A", version: nil, file: nil),
                LoadedLibrary(name: "B", version: "1", file: "/lib/b.so"),
            ], knowsCamerasAfter2020: false),
        .cameras([KnownCamera(make: "", model: "M", unpacker: .libraw, hasColourMatrix: true)], libRaw: "0.21"),
        .cameraProfiles([UInt8](repeating: 7, count: 100_000)), .refused("it is none"),
    ]

    @Test("Questions and answers are read as they were written", arguments: 0..<5)
    func roundTrip(number: Int) throws {
        #expect(try RenderInquiry(Self.inquiries[number].encoded()) == Self.inquiries[number])
        #expect(try RenderInquiryAnswer(Self.answers[number].encoded()) == Self.answers[number])
    }

    @Test("Damaged messages are read as others or refused, and never more")
    func damaged() {
        var random = SeededGenerator()
        var refused = 0
        for _ in 0..<2000 {
            var bytes = Bool.random(using: &random) ? Self.answers[1].encoded() : Self.inquiries[4].encoded()
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.removeLast(min(bytes.count - 1, place))
                default: bytes.insert(.random(in: 0...255, using: &random), at: place)
                }
            }
            if (try? RenderInquiry(bytes)) == nil { refused += 1 }
            if (try? RenderInquiryAnswer(bytes)) == nil { refused += 1 }
        }
        #expect(refused > 2000, "seed \(random.seed)")
    }

    @Test("The render program names the libraries that it alone has, with the files they were loaded from")
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

    @Test("Camera profiles are packed by their contents, and what is none is refused with the reason")
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

    @Test("A program that does not answer, or is not there, is named", arguments: ["/bin/true", "/nonexistent/render"])
    func none(path: String) throws {
        let error = try #require(throws: RenderInquiryError.self) { try RenderProgram(path: path).cameras() }
        #expect(error.description.contains(path))
    }
}
