import Encode
import Manifests
import PictureFormat
import Pixels

@testable import Metadata
import TIFF

/// A small grey JPEG with the given metadata.
func photo(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, width: Int = 48, height: Int = 32, space: ColourSpace = .sRGB,
    isTagged: Bool = true
) throws -> [UInt8] {
    func grey(_ width: Int, _ height: Int) -> Plane<UInt8> {
        let plane = Plane<UInt8>(width: width, height: height)
        plane.samples.update(repeating: 128)
        return plane
    }
    let image = OutputImage(
        luma: grey(width, height), cb: grey((width + 1) / 2, (height + 1) / 2),
        cr: grey((width + 1) / 2, (height + 1) / 2), subsampling: .quarter, colourSpace: space)
    var encoder = try JPEGEncoder(profiles: ICCProfiles())
    try encoder.encode(image, quality: 90, segments: JPEGSegments(exif: exif, xmp: xmp, isTagged: isTagged))
    return encoder.copyBytes()
}

/// Fields of a careful camera, including some that a rendition must not contain.
func cameraFields() -> [ExifField] {
    [
        .long(.image, .imageWidth, 6000), .long(.image, .imageLength, 4000), .short(.image, .bitsPerSample, 14),
        .short(.image, .compression, 7), .short(.image, .photometricInterpretation, 32803),
        .long(.image, .stripOffsets, 1234),
        .text(.image, .make, "Example  "), .text(.image, .model, "Example One"), .short(.image, .orientation, 6),
        .rational(.image, .xResolution, 300, 1), .text(.image, .software, "Firmware 1.2"),
        .text(.image, .dateTime, "2024:05:01 10:00:00"), .text(.image, .artist, "Ada Photographer"),
        .text(.image, .copyright, "© Ada\0Editor"), .bytes(.image, .dngVersion, [1, 4, 0, 0]),
        .rational(.photo, .exposureTime, 1, 250), .rational(.photo, .fNumber, 28, 5),
        .short(.photo, .exposureProgram, 3),
        .short(.photo, .photographicSensitivity, 400, 0), .short(.photo, .sensitivityType, 2),
        .long(.photo, .recommendedExposureIndex, 400),
        .text(.photo, .dateTimeOriginal, "2024:05:01 10:00:00"),
        .text(.photo, .dateTimeDigitized, "2024:05:01 10:00:00"),
        .text(.photo, .offsetTime, "+02:00"), .text(.photo, .offsetTimeOriginal, "+02:00"),
        .text(.photo, .subSecTimeOriginal, "437"),
        ExifField(
            directory: .photo, tag: .exposureBiasValue, type: .signedRational,
            value: [0xFE, 0xFF, 0xFF, 0xFF, 3, 0, 0, 0]),
        .short(.photo, .meteringMode, 5), .short(.photo, .flash, 16), .rational(.photo, .focalLength, 35, 1),
        .bytes(.photo, .makerNote, [UInt8](repeating: 9, count: 5000)), .short(.photo, .whiteBalance, 0),
        .short(.photo, .focalLengthIn35mmFilm, 52), .short(.photo, .sceneCaptureType, 0),
        .bytes(.photo, .fileSource, [3]),
        .bytes(.photo, .sceneType, [1]), .text(.photo, .imageUniqueID, "0123456789abcdef0123456789abcdef"),
        .text(.photo, .bodySerialNumber, "SN-77"), .text(.photo, .lensModel, "35mm f/2"),
        ExifField(
            directory: .photo, tag: .lensSpecification, type: .rational,
            value: [35, 1, 35, 1, 2, 1, 2, 1].flatMap { ExifField.littleEndian(UInt32($0)) }),
    ] + gpsFields()
}

func gpsFields() -> [ExifField] {
    func numbers(_ tag: TIFFTag, _ values: [UInt32]) -> ExifField {
        ExifField(
            directory: .gps, tag: tag, type: .rational,
            value: values.flatMap { ExifField.littleEndian($0) + ExifField.littleEndian(UInt32(1)) })
    }
    return [
        .bytes(.gps, .gpsVersionID, [2, 2, 0, 0]), .text(.gps, .gpsLatitudeRef, "N"),
        numbers(.gpsLatitude, [50, 7, 30]), .text(.gps, .gpsLongitudeRef, "E"),
        numbers(.gpsLongitude, [8, 40, 12]), ExifField(directory: .gps, tag: .gpsAltitudeRef, type: .byte, value: [0]),
        .rational(.gps, .gpsAltitude, 617, 5), numbers(.gpsTimeStamp, [8, 0, 0]), .text(.gps, .gpsMapDatum, "WGS-84"),
        .text(.gps, .gpsDateStamp, "2024:05:01"), .bytes(.gps, .gpsProcessingMethod, Array("ASCII\0\0\0GPS".utf8)),
        .rational(.gps, .gpsHPositioningError, 5, 1),
    ]
}

func source(_ fields: [ExifField] = cameraFields(), captured: String? = nil, xmp: [UInt8]? = nil) -> SourceMetadata {
    SourceMetadata(make: "Example", model: "Example One", exif: fields, xmp: xmp, captured: captured)
}

func rendition(
    _ metadata: SourceMetadata = source(), width: Int = 48, height: Int = 32, isSRGB: Bool = true,
    thumbnail: [UInt8]? = nil
) -> RenditionExif {
    RenditionExif(
        source: metadata, width: width, height: height, isSRGB: isSRGB, software: "Rawmill 1", thumbnail: thumbnail)
}

func identity() -> RenditionIdentity {
    RenditionIdentity(
        key: String(repeating: "ab", count: 32), asset: String(repeating: "0f", count: 32), frame: 0,
        recipeID: String(repeating: "1e", count: 32), adjustment: AdjustmentData(data: "look=velvet@2\nexposure=0.5\n"),
        lookName: "velvet", lookVersion: 2, lookDigest: String(repeating: "77", count: 32), engine: "1",
        original: FileIdentity(
            root: "archive", path: Array("2024/05/IMG_0001.NEF".utf8), sizeBytes: 26_123_456,
            modifiedNanoseconds: 1_714_557_600_123_456_789), photoBase: Array("IMG_0001".utf8),
        facts: PhotoFacts(
            make: "Example", model: "Example One", captured: "2024:05:01 10:00:00", rating: 0, keywords: Keywords()),
        width: 6000,
        height: 4000)
}
