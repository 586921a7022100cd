import Digest
import Manifests
import PictureFormat
import RenderHost
import SeededRandom
import Testing

@testable import MetadataHost

@Suite("What a metadata process may say") struct AnswerMessageTests {
    private static let identity = RenditionIdentity(
        key: "k", asset: "a", frame: 3, recipeID: "r", adjustment: AdjustmentData(data: "edit é"), lookName: "mono",
        lookVersion: .max, lookDigest: "d", engine: "5",
        original: FileIdentity(root: "archive", path: [0xFF, 0x41], sizeBytes: .max, modifiedNanoseconds: -1),
        photoBase: [0xFE], companion: FileIdentity(root: "", path: [], sizeBytes: 0, modifiedNanoseconds: .min),
        companionDigest: "c",
        facts: PhotoFacts(
            make: "m", model: "", captured: "", degraded: nil, rating: -1, keywords: Keywords(["a", "日本"])), width: -5,
        height: .max)

    private static let answers: [(MetadataAnswerMessage, MetadataQuestion)] =
        [
            (.identity(identity), .identity), (.size(PixelSize(width: 0, height: 65_535)), .size),
            (.sidecar([0x3C, 0, 0xFF]), .sidecar), (.sidecar([]), .sidecar),
            (.picture(SHA256Value(of: [1])), .picture),
        ]
        + [
            XMPError.unavailable, .tooLarge(bytes: 1, limit: 2), .notUTF8, .hasDocumentType, .tooDeep(limit: 64),
            .broken(code: -3), .notAPhoto, .noPacket, .notARendition, .badField(name: "lookSHA256"),
        ].map { (.nothing($0), .identity) }

    @Test("Every answer arrives as it was sent")
    func whole() throws {
        for (answer, question) in Self.answers {
            #expect(try MetadataAnswerMessage(answer.encoded(), to: question) == answer)
        }
    }

    @Test("An answer that is cut off anywhere, or goes on, is none")
    func cutOff() throws {
        for (answer, question) in Self.answers {
            let bytes = answer.encoded()
            for count in 0..<bytes.count {
                #expect(throws: InvalidAnswer.self) { try MetadataAnswerMessage(Array(bytes[..<count]), to: question) }
            }
            #expect(throws: InvalidAnswer.self) { try MetadataAnswerMessage(bytes + [0], to: question) }
        }
    }

    @Test("An answer to another question is none")
    func otherQuestion() {
        let size = MetadataAnswerMessage.size(PixelSize(width: 1, height: 1)).encoded()
        #expect(throws: InvalidAnswer.self) { try MetadataAnswerMessage(size, to: .identity) }
        #expect(throws: InvalidAnswer.self) {
            try MetadataAnswerMessage(MetadataAnswerMessage.identity(Self.identity).encoded(), to: .size)
        }
    }

    @Test("A process cannot have words of its own printed")
    func words() {
        for name in ["\u{1B}[2J", String(repeating: "a", count: 65), "a b"] {
            let message = MetadataAnswerMessage.nothing(.badField(name: name)).encoded()
            #expect(throws: InvalidAnswer.self) { try MetadataAnswerMessage(message, to: .identity) }
        }
    }

    @Test("No bytes trap: an answer with any bytes changed is read or refused")
    func anyBytes() {
        var random = SeededGenerator(seed: 7)
        var (accepted, refused) = (0, 0)
        for (answer, question) in Self.answers {
            let good = answer.encoded()
            for _ in 0..<2000 {
                var bytes = good
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(
                        using: &random)!
                }
                if (try? MetadataAnswerMessage(bytes, to: question))?.answer != nil {
                    accepted += 1
                } else {
                    refused += 1
                }
            }
        }
        #expect(accepted > 0 && refused > 0)
    }
}
