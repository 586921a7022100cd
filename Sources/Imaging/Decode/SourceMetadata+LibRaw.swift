import CLibRaw
import Metadata

func sourceMetadata(of raw: borrowing LibRawHandle, tags: [TagCollector.MetTag]) -> SourceMetadata {
    let make = raw.text(CLibRawNormalizedMake)
    let model = raw.text(CLibRawNormalizedModel)
    var metadata = SourceMetadata(
        make: make.isEmpty ? raw.text(CLibRawMake) : make, model: model.isEmpty ? raw.text(CLibRawModel) : model,
        exif: exifTags(from: tags), xmp: raw.xmp)
    addMissingTags(to: &metadata, from: raw)
    metadata.captured = captureTime(of: metadata.exif)
    return metadata
}

/// DateTimeOriginal, else DateTimeDigitized, else DateTime; nil where all are blank.
func captureTime(of tags: [ExifTag]) -> String? {
    let places: [(ExifDirectory, UInt16)] = [(.photo, 0x9003), (.photo, 0x9004), (.image, 0x0132)]
    for (directory, number) in places {
        if let tag = tags.first(where: { $0.directory == directory && $0.number == number }),
            let time = captureTime(ascii: tag.value)
        {
            return time
        }
    }
    return nil
}

/// A blank date is spaces, or zeros with colons (EXIF 2.3, DateTimeOriginal).
private func captureTime(ascii value: [UInt8]) -> String? {
    let text = value.prefix { $0 != 0 }
    guard text.count >= 19, text.contains(where: { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }),
        text.allSatisfy({ $0 >= 32 && $0 < 127 })
    else { return nil }
    return String(decoding: text.prefix(19), as: UTF8.self)
}
