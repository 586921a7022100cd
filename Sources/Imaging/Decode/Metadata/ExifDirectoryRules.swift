import Metadata
import TIFF

enum ExifDirectoryRules {
    /// The first field of a tag wins.
    static func exifFields(from fields: [LibRawField]) -> [ExifField] {
        let main = mainDirectory(of: fields)
        var seen: Set<Key> = []
        return fields.compactMap { field in
            guard let directory = exifDirectory(of: field, main: main),
                seen.insert(Key(directory: directory, tag: field.tag)).inserted
            else { return nil }
            return ExifField(directory: directory, tag: field.tag, type: field.type, value: field.value)
        }
    }

    private struct Key: Hashable {
        let directory: ExifDirectory
        let tag: TIFFTag
    }

    /// The first TIFF directory that names a camera. Others describe previews or raw samples.
    private static func mainDirectory(of fields: [LibRawField]) -> LibRawField.Directory? {
        let named = fields.first { $0.directory.isTIFF && [.make, .model].contains($0.tag) }
        return (named ?? fields.first { $0.directory.isTIFF })?.directory
    }

    private static func exifDirectory(of field: LibRawField, main: LibRawField.Directory?) -> ExifDirectory? {
        switch field.directory {
        case .photo: .photo
        case .interoperability: .interoperability
        case .gps: .gps
        // Lower tags are Panasonic's own.
        case .panasonic: field.tag >= .imageDescription ? exifDirectory(of: field.tag) : nil
        case let directory where directory == main: exifDirectory(of: field.tag)
        default: nil
        }
    }

    /// EXIF directory of a tag. TIFF/EP keeps exposure data in the main directory, EXIF in the Exif IFD.
    private static func exifDirectory(of tag: TIFFTag) -> ExifDirectory {
        let photo: [ClosedRange<TIFFTag>] = [
            .exposureTime ... .exposureTime, .fNumber ... .fNumber, .exposureProgram ... .exposureProgram,
            .spectralSensitivity ... .spectralSensitivity, .photographicSensitivity ... .oecf,
            .sensitivityType ... .isoSpeedLatitudezzz, .exifVersion ... .cameraElevationAngle,
            .flashpixVersion ... .interoperabilityIFD, .flashEnergy ... .sensingMethod,
            .fileSource ... .subjectDistanceRange, .imageUniqueID ... .imageUniqueID,
            .cameraOwnerName ... .imageTitle,
        ]
        return photo.contains { $0.contains(tag) } ? .photo : .image
    }
}
