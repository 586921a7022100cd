import Metadata
import TIFF

struct FrameMetadataReader {
    private let frame: Frame

    init(_ frame: Frame) { self.frame = frame }

    func metadata() -> SourceMetadata {
        let raw = frame.raw
        var fields = MissingFields(present: ExifDirectoryRules.exifFields(from: frame.fields))
        fields.add(from: raw, isDateMissing: Self.captureTime(of: fields.all) == nil)
        let make = raw.text(.normalizedMake)
        let model = raw.text(.normalizedModel)
        return SourceMetadata(
            make: make.isEmpty ? raw.text(.make) : make, model: model.isEmpty ? raw.text(.model) : model,
            exif: fields.all, xmp: raw.xmp, captured: Self.captureTime(of: fields.all))
    }

    /// DateTimeOriginal, else DateTimeDigitized, else DateTime; nil if all are blank.
    private static func captureTime(of fields: [ExifField]) -> String? {
        let dates: [(ExifDirectory, TIFFTag)] = [
            (.photo, .dateTimeOriginal), (.photo, .dateTimeDigitized), (.image, .dateTime),
        ]
        for (directory, tag) in dates {
            if let field = fields.first(where: { $0.directory == directory && $0.tag == tag }),
                let time = captureTime(ascii: field.value)
            {
                return time
            }
        }
        return nil
    }

    /// A blank date is spaces, or zeros with colons (EXIF 2.3, DateTimeOriginal).
    private static func captureTime(ascii value: [UInt8]) -> String? {
        let text = value.prefix { $0 != 0 }
        guard text.count >= 19, text.contains(where: { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }),
            text.allSatisfy({ $0 >= 32 && $0 < 127 })
        else { return nil }
        return String(decoding: text.prefix(19), as: UTF8.self)
    }
}
