internal import TIFF

/// The fields of a RAW that a rendition keeps. Others describe the RAW's pixels, file or maker notes, or are unknown.
///
/// Also omitted: SubjectArea and the focal plane resolutions, which count the RAW's pixels; Contrast, Saturation,
/// Sharpness and CustomRendered, which describe the camera's own JPEG.
enum ExifRules {
    static let image: [ExifRule] = [
        ExifRule(.image, .imageDescription, .text),
        ExifRule(.image, .make, .text),
        ExifRule(.image, .model, .text),
        ExifRule(.image, .dateTime, .date),
        ExifRule(.image, .artist, .text),
        ExifRule(.image, .copyright, .text),
    ]

    static let photo: [ExifRule] = exposure + time + device

    private static let exposure: [ExifRule] = [
        ExifRule(.photo, .exposureTime, .rational(isKnownZero: false)),
        ExifRule(.photo, .fNumber, .rational(isKnownZero: false)),
        ExifRule(.photo, .exposureProgram, .short(allowed: [0...8])),
        ExifRule(.photo, .spectralSensitivity, .text),
        ExifRule(.photo, .photographicSensitivity, .short(allowed: nil)),
        ExifRule(.photo, .sensitivityType, .short(allowed: [0...7])),
        ExifRule(.photo, .standardOutputSensitivity, .long),
        ExifRule(.photo, .recommendedExposureIndex, .long),
        ExifRule(.photo, .isoSpeed, .long),
        ExifRule(.photo, .isoSpeedLatitudeyyy, .long),
        ExifRule(.photo, .isoSpeedLatitudezzz, .long),
        ExifRule(.photo, .shutterSpeedValue, .rational(isSigned: true)),
        ExifRule(.photo, .apertureValue, .rational()),
        ExifRule(.photo, .brightnessValue, .rational(isSigned: true)),
        ExifRule(.photo, .exposureBiasValue, .rational(isSigned: true)),
        ExifRule(.photo, .maxApertureValue, .rational()),
        ExifRule(.photo, .subjectDistance, .rational(isKnownZero: false)),
        ExifRule(.photo, .meteringMode, .short(allowed: [0...6, 255...255])),
        ExifRule(.photo, .lightSource, .short(allowed: [0...4, 9...24, 255...255])),
        ExifRule(.photo, .flash, .short(allowed: flash)),
        ExifRule(.photo, .focalLength, .rational(isKnownZero: false)),
        ExifRule(.photo, .flashEnergy, .rational(isKnownZero: false)),
        ExifRule(.photo, .exposureIndex, .rational(isKnownZero: false)),
        ExifRule(.photo, .exposureMode, .short(allowed: [0...2])),
        ExifRule(.photo, .whiteBalance, .short(allowed: [0...1])),
        ExifRule(.photo, .digitalZoomRatio, .rational(isKnownZero: false)),
        ExifRule(.photo, .focalLengthIn35mmFilm, .short(allowed: nil)),
        ExifRule(.photo, .sceneCaptureType, .short(allowed: [0...3])),
        ExifRule(.photo, .gainControl, .short(allowed: [0...4])),
        ExifRule(.photo, .subjectDistanceRange, .short(allowed: [0...3])),
    ]

    private static let time: [ExifRule] = [
        ExifRule(.photo, .dateTimeOriginal, .date),
        ExifRule(.photo, .dateTimeDigitized, .date),
        ExifRule(.photo, .offsetTime, .offset),
        ExifRule(.photo, .offsetTimeOriginal, .offset),
        ExifRule(.photo, .offsetTimeDigitized, .offset),
        ExifRule(.photo, .subSecTime, .text),
        ExifRule(.photo, .subSecTimeOriginal, .text),
        ExifRule(.photo, .subSecTimeDigitized, .text),
    ]

    private static let device: [ExifRule] = [
        ExifRule(.photo, .userComment, .comment),
        ExifRule(.photo, .ambientTemperature, .rational(isSigned: true)),
        ExifRule(.photo, .humidity, .rational()),
        ExifRule(.photo, .pressure, .rational()),
        ExifRule(.photo, .waterDepth, .rational(isSigned: true)),
        ExifRule(.photo, .acceleration, .rational()),
        ExifRule(.photo, .cameraElevationAngle, .rational(isSigned: true)),
        ExifRule(.photo, .sensingMethod, .short(allowed: [1...5, 7...8])),
        ExifRule(.photo, .fileSource, .code(allowed: 1...3)),
        ExifRule(.photo, .sceneType, .code(allowed: 1...1)),
        ExifRule(.photo, .imageUniqueID, .text),
        ExifRule(.photo, .cameraOwnerName, .text),
        ExifRule(.photo, .bodySerialNumber, .text),
        ExifRule(.photo, .lensSpecification, .lens),
        ExifRule(.photo, .lensMake, .text),
        ExifRule(.photo, .lensModel, .text),
        ExifRule(.photo, .lensSerialNumber, .text),
        ExifRule(.photo, .compositeImage, .short(allowed: [0...3])),
    ]

    /// The bit combinations that EXIF defines.
    private static let flash: [ClosedRange<Int64>] = [
        0x00, 0x01, 0x05, 0x07, 0x08, 0x09, 0x0D, 0x0F, 0x10, 0x14, 0x18, 0x19, 0x1D, 0x1F, 0x20, 0x30, 0x41, 0x45,
        0x47, 0x49, 0x4D, 0x4F, 0x50, 0x58, 0x59, 0x5D, 0x5F,
    ].map { $0...$0 }

    /// DNG fields that replace a missing EXIF field.
    static let aliases: [(tag: TIFFTag, rule: ExifRule)] = [
        (.uniqueCameraModel, ExifRule(.image, .model, .text)),
        (.cameraSerialNumber, ExifRule(.photo, .bodySerialNumber, .text)),
        (.lensInfo, ExifRule(.photo, .lensSpecification, .lens)),
    ]
}
