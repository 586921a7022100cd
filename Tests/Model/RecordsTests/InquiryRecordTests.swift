import Manifests
import PictureFormat
import Records
import Testing

@Suite("Messages of processes of the render program") struct InquiryRecordTests {
    @Test("A truncated or overlong reply is refused")
    func cutOff() throws {
        for reply in [.size(PixelSize(width: 1, height: 65_535)), .problem(.tooLarge(bytes: 1, limit: 2))]
            as [MetadataReply]
        {
            let bytes = reply.encoded()
            #expect(try MetadataReply(record: bytes) == reply)
            for count in 0..<bytes.count {
                #expect(throws: RecordError.self) { try MetadataReply(record: Array(bytes[..<count])) }
            }
            #expect(throws: RecordError.self) { try MetadataReply(record: bytes + [0]) }
        }
    }

    @Test("A reply answers its own question, and a problem any")
    func questions() {
        for question in MetadataQuestion.allCases {
            #expect(MetadataReply.size(PixelSize(width: 1, height: 1)).answers(question) == (question == .size))
            #expect(MetadataReply.sidecar([]).answers(question) == (question == .sidecar))
            #expect(MetadataReply.problem(.noPacket).answers(question))
        }
    }

    @Test(
        "A process cannot make Rawmill print arbitrary text",
        arguments: ["\u{1B}[2J", String(repeating: "a", count: 65), "a b"])
    func words(name: String) {
        let message = MetadataReply.problem(.badField(name: name)).encoded()
        #expect(throws: RecordError.self) { try MetadataReply(record: message) }
    }

    @Test("A size that no JPEG has is refused")
    func sizes() {
        let message = MetadataReply.size(PixelSize(width: 65_536, height: 1)).encoded()
        #expect(throws: RecordError.self) { try MetadataReply(record: message) }
    }

    @Test("A fact whose value is out of its range is refused")
    func facts() throws {
        var identity = RenditionIdentity.sample
        identity.rating = 5
        #expect(try MetadataReply(record: MetadataReply.identity(identity).encoded()) == .identity(identity))
        identity.rating = 99
        let message = MetadataReply.identity(identity).encoded()
        #expect(throws: RecordError.self) { try MetadataReply(record: message) }
    }

    @Test("More questions than accompanying files are refused")
    func manyQuestions() throws {
        let most = [MetadataQuestion](repeating: .picture, count: MetadataQuestions.maxCount)
        #expect(try MetadataQuestions(record: MetadataQuestions(most).encoded()).questions == most)
        #expect(throws: RecordError.self) {
            try MetadataQuestions(record: MetadataQuestions(most + [.size]).encoded())
        }
    }

    @Test("An answer of many empty parts needs no multiple of its size in memory, and one of real parts is read")
    func memory() throws {
        // Field 1, of two bytes per part: empty libraries.
        let parts = [UInt8]((0..<1_000_000).flatMap { _ in [0x0A, 0x00] as [UInt8] })
        let head: [UInt8] = [0x0A, 0x80, 0x89, 0x7A]
        #expect(throws: RecordError.self) { try RenderInquiryAnswer(record: head + parts, limit: .max) }
        let cameras = (0..<5000).map { number in
            KnownCamera(make: "Maker", model: "Model \(number)", unpacker: .libraw, hasColourMatrix: true)
        }
        let answer = RenderInquiryAnswer.cameras(cameras, libRaw: "0.21")
        #expect(try RenderInquiryAnswer(record: answer.encoded(), limit: .max) == answer)
    }
}

extension RenditionIdentity {
    /// Values at the ends of their ranges, and a path that is not UTF-8.
    static let sample = RenditionIdentity(
        key: "k", asset: "a", frame: 3, recipeID: "r", adjustment: AdjustmentData(data: "edit é"), lookName: "mono",
        lookVersion: .max, lookDigest: "d", engine: "5",
        original: FileIdentity(root: "archive", path: [0xFF, 0x41], sizeBytes: .max, modifiedNanoseconds: -1),
        photoBase: [0xFE], companion: FileIdentity(root: "", path: [], sizeBytes: 0, modifiedNanoseconds: .min),
        companionDigest: "c",
        facts: PhotoFacts(make: "m", captured: "", rating: -1, keywords: Keywords(["a", "日本"])), width: -5,
        height: .max)
}
