import Metadata

/// Puts the tags of all directories in the four of EXIF; the first mention of a tag stands.
func exifTags(from met: [TagCollector.MetTag]) -> [ExifTag] {
    let main = mainDirectory(of: met)
    var seen: Set<ExifKey> = []
    return met.compactMap { tag in
        guard let directory = exifDirectory(of: tag, main: main),
            seen.insert(ExifKey(directory: directory, number: tag.number)).inserted
        else { return nil }
        return ExifTag(directory: directory, number: tag.number, type: tag.type, value: tag.value)
    }
}

private struct ExifKey: Hashable {
    let directory: ExifDirectory
    let number: UInt16
}

/// The first TIFF directory that names a camera; other directories describe previews or the raw samples.
private func mainDirectory(of met: [TagCollector.MetTag]) -> Int? {
    let make = 0x010f
    let model = 0x0110
    let named = met.first { $0.directory >= 16 && (Int($0.number) == make || Int($0.number) == model) }
    return (named ?? met.first { $0.directory >= 16 })?.directory
}

private func exifDirectory(of tag: TagCollector.MetTag, main: Int?) -> ExifDirectory? {
    switch tag.directory {
    case 0: .photo
    case 4: .interoperability
    case 5: .gps
    case 3: tag.number >= 0x010e ? standing(tag.number) : nil
    case let directory where directory == main: standing(tag.number)
    default: nil
    }
}

/// TIFF/EP files carry exposure facts in their main directory; in an EXIF block these stand in the Exif IFD.
private func standing(_ number: UInt16) -> ExifDirectory {
    switch number {
    case 0x829a, 0x829d, 0x8822, 0x8824, 0x8827, 0x8828, 0x8830...0x8835, 0x9000...0x9405, 0xa000...0xa005,
        0xa20b...0xa217,
        0xa300...0xa40c, 0xa420, 0xa430...0xa436:
        .photo
    default: .image
    }
}
