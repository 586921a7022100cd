import ExternalTools
import Testing

@testable import Metadata

struct CaptureStampTests {
    private func stamp(_ date: String?, _ fraction: String? = nil, _ model: String? = nil) -> CaptureStamp {
        var tags: [ExifTag] = []
        if let date { tags.append(.text(.photo, 0x9003, date)) }
        if let fraction { tags.append(.text(.photo, 0x9291, fraction)) }
        if let model { tags.append(.text(.image, 0x0110, model)) }
        return CaptureStamp(tags)
    }

    @Test("A JPEG's capture time is read from its file, in either byte order")
    func reads() throws {
        let file = try photo(exif: rendition().payload())
        let stamp = CaptureStamp(jpeg: file)
        #expect(stamp.captured == "2024:05:01 10:00:00" && stamp.fraction == "437" && stamp.model == "Example One")
        #expect(stamp.isSameShot(as: CaptureStamp(source())))
        let turned = try ExternalTool.ask(
            "sh",
            [
                "-c",
                "exiftool -q -all= -tagsfromfile @ -exif:all -exifbyteorder=MM -o - \"$0\" | od -An -v -tu1",
            ], about: file)
        let other = turned.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0) }
        #expect(Array(other.prefix(200)).contains(sequence: Array("MM\0*".utf8)))
        let again = CaptureStamp(jpeg: other)
        #expect(again == stamp)
        #expect(Set(KeptTags(ExifTag.read(fromJPEG: other)).tags) == Set(KeptTags(ExifTag.read(fromJPEG: file)).tags))
    }

    @Test("Our reader gives back every tag our writer wrote")
    func roundTrips() {
        let kept = KeptTags(cameraTags()).tags
        let block = TIFFWriter(tags: kept, thumbnail: nil).bytes()
        let read = TIFFReader(block[...])?.tags().filter { ![0x8769, 0x8825].contains($0.number) }
        #expect(read == kept)
    }

    @Test("The same second is the same shot unless fractions or models disagree")
    func compares() {
        let date = "2024:05:01 10:00:00"
        let one = stamp(date, "43", "Canon EOS D30")
        #expect(one.isSameShot(as: stamp(date)))
        #expect(one.isSameShot(as: stamp(date, "430", "EOS D30")))
        #expect(!one.isSameShot(as: stamp(date, "44")))
        #expect(!one.isSameShot(as: stamp(date, "43", "NIKON D1")))
        #expect(!one.isSameShot(as: stamp("2024:05:01 10:00:01", "43")))
    }

    @Test("Files without a capture date are never the same shot")
    func knowsNothing() {
        let nothing = stamp(nil)
        #expect(!nothing.isSameShot(as: nothing) && !nothing.isSameShot(as: stamp("2024:05:01 10:00:00")))
        #expect(CaptureStamp(jpeg: []).captured == nil)
    }
}

extension Array where Element: Equatable {
    fileprivate func contains(sequence: [Element]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
