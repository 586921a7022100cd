import PictureFormat
import Samples
import Testing

@testable import Decode

struct OrientedPreviewTests {
    private func shown(_ dng: [UInt8], isSmall: Bool) throws -> OrientedPreview? {
        try withRaw(dng) { try $0.orientedPreview(isSmall: isSmall) }
    }

    @Test(
        "The camera's picture has the photo's orientation", arguments: Orientation.allCases, [true, false])
    func turned(orientation: Orientation, isSmall: Bool) throws {
        let dng = Sample.dng(
            index: 3, size: PixelSize(width: 96, height: 64), orientation: orientation, preview: .good)
        let shown = try #require(try shown(dng, isSmall: isSmall))
        #expect(shown.picture.format == .jpeg && shown.picture.bytes.starts(with: [0xff, 0xd8]))
        #expect(shown.orientation == orientation)
    }

    @Test("A RAW without a preview gives none, and a truncated preview is not detected here")
    func missing() throws {
        let size = PixelSize(width: 96, height: 64)
        #expect(try shown(Sample.dng(index: 3, size: size), isSmall: true) == nil)
        #expect(try shown(Sample.dng(index: 3, size: size), isSmall: false) == nil)
        #expect(try shown(Sample.dng(index: 3, size: size, preview: .cutOff), isSmall: false) != nil)
    }
}
