import ExternalTools
import TIFF
import Testing

@testable import Metadata

struct CaptureStampTests {
    private func stamp(_ date: String?, _ fraction: String? = nil, _ model: String? = nil) -> CaptureStamp {
        var fields: [ExifField] = []
        if let date { fields.append(.text(.photo, .dateTimeOriginal, date)) }
        if let fraction { fields.append(.text(.photo, .subSecTimeOriginal, fraction)) }
        if let model { fields.append(.text(.image, .model, model)) }
        return CaptureStamp(fields)
    }

    @Test("A JPEG's capture time is read from its file, in either byte order", .needs(.program("exiftool")))
    func reads() throws {
        let file = try photo(exif: rendition().payload())
        let stamp = CaptureStamp(jpeg: file)
        #expect(stamp.captured == "2024:05:01 10:00:00" && stamp.fraction == "437" && stamp.model == "Example One")
        #expect(stamp.isSameShot(as: CaptureStamp(source())))
        let turned = try ExternalTool.run(
            "sh",
            [
                "-c",
                "exiftool -q -all= -tagsfromfile @ -exif:all -exifbyteorder=MM -o - \"$0\" | od -An -v -tu1",
            ], on: file)
        let other = turned.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0) }
        #expect(Array(other.prefix(200)).contains(sequence: Array("MM\0*".utf8)))
        let again = CaptureStamp(jpeg: other)
        #expect(again == stamp)
        #expect(
            Set(InheritedExif(ExifField.read(fromJPEG: other)).fields)
                == Set(InheritedExif(ExifField.read(fromJPEG: file)).fields))
    }

    @Test("Our reader returns every field that our writer wrote")
    func roundTrips() {
        let fields = InheritedExif(cameraFields()).fields
        let block = ExifBlockWriter(fields: fields, thumbnail: nil).bytes()
        let read = ExifBlockReader.fields(of: block)?.filter { ![.exifIFD, .gpsIFD].contains($0.tag) }
        #expect(read == fields)
    }

    @Test("The same second is the same shot unless fractions or models contradict")
    func compares() {
        let date = "2024:05:01 10:00:00"
        let one = stamp(date, "43", "Canon EOS D30")
        #expect(one.isSameShot(as: stamp(date)))
        #expect(one.isSameShot(as: stamp(date, "430", "EOS D30")))
        #expect(!one.isSameShot(as: stamp(date, "44")))
        #expect(!one.isSameShot(as: stamp(date, "43", "NIKON D1")))
        #expect(!one.isSameShot(as: stamp("2024:05:01 10:00:01", "43")))
    }

    @Test("Files without a capture time are never the same shot")
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
