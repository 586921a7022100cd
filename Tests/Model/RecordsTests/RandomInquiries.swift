import Digest
import Manifests
import PictureFormat
import Processes
import SeededRandom

/// Messages of those processes of the render program that do not render.
extension SeededGenerator {
    mutating func metadataQuestions() -> MetadataQuestions {
        MetadataQuestions(
            (0..<integer(0...MetadataQuestions.maxCount)).map { _ in
                MetadataQuestion.allCases.randomElement(using: &self)!
            })
    }

    mutating func metadataReply() -> MetadataReply {
        switch integer(0...4) {
        case 0: .identity(renditionIdentity())
        case 1: .size(PixelSize(width: integer(0...65_535), height: integer(0...65_535)))
        case 2: .sidecar(bytes(0...60))
        case 3: .picture(digest())
        default:
            .problem(
                [
                    XMPError.unavailable, .tooLarge(bytes: integer(0...Int.max), limit: 2), .notUTF8, .hasDocumentType,
                    .tooDeep(limit: 64), .broken(code: integer(-3...3)), .notAPhoto, .noPacket, .notARendition,
                    .badField(name: "lookSHA256"),
                ].randomElement(using: &self)!)
        }
    }

    private mutating func renditionIdentity() -> RenditionIdentity {
        var identity = RenditionIdentity.sample
        identity.key = text(0...20)
        identity.frame = integer(0...UInt32.max)
        identity.adjustment = AdjustmentData(
            formatIdentifier: text(0...9), formatVersion: text(0...9), data: text(0...99))
        identity.original = FileIdentity(root: text(0...9), path: bytes(0...30), sizeBytes: integer(0...UInt64.max))
        identity.companion = maybe { FileIdentity(root: $0.text(0...9), path: $0.bytes(0...30), sizeBytes: 1) }
        identity.companionDigest = maybe { $0.text(0...9) }
        identity.facts = PhotoFacts(
            make: text(0...9), model: text(0...9), captured: maybe { $0.text(0...19) },
            degraded: maybe { $0.text(0...30) }, lens: maybe { $0.text(0...30) }, rating: maybe { $0.integer(-1...5) })
        identity.facts.exposureSeconds = maybe { $0.real(0.001...30) }
        identity.facts.iso = maybe { $0.integer(1...100_000) }
        identity.width = integer(Int.min...Int.max)
        return identity
    }

    mutating func renderInquiry() -> RenderInquiry {
        switch integer(0...3) {
        case 0: .libraries
        case 1: .cameras
        case 2: .cameraProfile(bytes(0...60))
        default:
            .cameraProfiles(
                (0..<integer(0...4)).map { _ in RenderInquiry.NamedFile(name: text(0...9), bytes: bytes(0...30)) })
        }
    }

    mutating func renderInquiryAnswer() -> RenderInquiryAnswer {
        switch integer(0...3) {
        case 0:
            .libraries(
                (0..<integer(0...4)).map { _ in
                    LoadedLibrary(name: text(0...9), version: maybe { $0.text(0...9) }, file: maybe { $0.text(0...30) })
                }, knowsCamerasAfter2020: Bool.random(using: &self))
        case 1:
            .cameras(
                (0..<integer(0...4)).map { _ in
                    KnownCamera(
                        make: text(0...9), model: text(0...9),
                        unpacker: KnownCamera.Unpacker.allCases.randomElement(using: &self)!,
                        hasColourMatrix: Bool.random(using: &self))
                }, libRaw: text(0...9))
        case 2: .cameraProfiles(bytes(0...60))
        default: .refused(text(0...60))
        }
    }
}
