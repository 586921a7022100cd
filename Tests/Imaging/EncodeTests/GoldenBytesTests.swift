import Digest
import PictureFormat
import Pixels
import Testing

@testable import Encode

/// Golden bytes: a change here changes every rendition, and needs a new engine version.
///
/// They are the same on every node, processor and day. JSIMD_FORCENONE=1 and JSIMD_FORCESSE2=1 select TurboJPEG's other
/// code paths, which must give the same bytes.
@Suite("Golden bytes")
struct GoldenBytesTests {
    @Test(
        "ICC profiles have their golden bytes",
        arguments: [
            (ColourSpace.sRGB, "a73c485966987f314647481bf8ce07995e3c7bcbebf7220120645fbdd356ba46"),
            (.displayP3, "4a5bbf3a0b601baeb33574a8d71f41ded9d5ff2d2e11ed54ce520a43e0dbeaa1"),
            (.adobeRGB, "11a0ed61cfaf272917d86e2e6eb3a006002453a90163d430030251ce8d36390d"),
        ])
    func profiles(space: ColourSpace, digest: String) throws {
        let profile = try ICCProfiles()[space]
        #expect(SHA256Value(of: profile).description == digest)
    }

    @Test(
        "JPEGs have their golden bytes",
        arguments: [
            (
                640, 480, 92, ChromaSubsampling.quarter,
                "275e80942e0b5688fe7b11057872283df6a82df68074789d42baf503c45b70fb"
            ), (333, 217, 90, .quarter, "7759e41e80cb7f6f535b7a939cc775227560ea749cb9dadcbafc5c1ad806057b"),
            (200, 100, 97, .none, "bf114aa5e7f79b041bbf9033a5e3ed93d1a12e40cbe7235bd233473ff3ae73ad"),
        ])
    func photos(width: Int, height: Int, quality: Int, subsampling: ChromaSubsampling, digest: String) throws {
        let bytes = try encode(makePicture(width, height, subsampling), quality: quality)
        #expect(SHA256Value(of: bytes).description == digest)
    }
}
