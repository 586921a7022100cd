/// The tags of a RAW that a rendition keeps. All others describe the RAW's own pixels, file or maker, or are not known.
///
/// Left out on purpose, beside the RAW's picture layout: SubjectArea and FocalPlane resolutions (they count the RAW's
/// pixels), Contrast, Saturation, Sharpness and CustomRendered (they tell how the camera made its own JPEG).
enum ExifRules {
    static let image: [ExifRule] = [
        ExifRule(.image, 0x010E, .text),  // ImageDescription
        ExifRule(.image, 0x010F, .text),  // Make
        ExifRule(.image, 0x0110, .text),  // Model
        ExifRule(.image, 0x0132, .date),  // ModifyDate
        ExifRule(.image, 0x013B, .text),  // Artist
        ExifRule(.image, 0x8298, .text),  // Copyright
    ]

    static let photo: [ExifRule] = exposure + time + device

    private static let exposure: [ExifRule] = [
        ExifRule(.photo, 0x829A, .rational(isKnownZero: false)),  // ExposureTime
        ExifRule(.photo, 0x829D, .rational(isKnownZero: false)),  // FNumber
        ExifRule(.photo, 0x8822, .short(allowed: [0...8])),  // ExposureProgram
        ExifRule(.photo, 0x8824, .text),  // SpectralSensitivity
        ExifRule(.photo, 0x8827, .short(allowed: nil)),  // PhotographicSensitivity (ISO)
        ExifRule(.photo, 0x8830, .short(allowed: [0...7])),  // SensitivityType
        ExifRule(.photo, 0x8831, .long),  // StandardOutputSensitivity
        ExifRule(.photo, 0x8832, .long),  // RecommendedExposureIndex
        ExifRule(.photo, 0x8833, .long),  // ISOSpeed
        ExifRule(.photo, 0x8834, .long),  // ISOSpeedLatitudeyyy
        ExifRule(.photo, 0x8835, .long),  // ISOSpeedLatitudezzz
        ExifRule(.photo, 0x9201, .rational(isSigned: true)),  // ShutterSpeedValue
        ExifRule(.photo, 0x9202, .rational()),  // ApertureValue
        ExifRule(.photo, 0x9203, .rational(isSigned: true)),  // BrightnessValue
        ExifRule(.photo, 0x9204, .rational(isSigned: true)),  // ExposureBiasValue
        ExifRule(.photo, 0x9205, .rational()),  // MaxApertureValue
        ExifRule(.photo, 0x9206, .rational(isKnownZero: false)),  // SubjectDistance
        ExifRule(.photo, 0x9207, .short(allowed: [0...6, 255...255])),  // MeteringMode
        ExifRule(.photo, 0x9208, .short(allowed: [0...4, 9...24, 255...255])),  // LightSource
        ExifRule(.photo, 0x9209, .short(allowed: flash)),  // Flash
        ExifRule(.photo, 0x920A, .rational(isKnownZero: false)),  // FocalLength
        ExifRule(.photo, 0xA20B, .rational(isKnownZero: false)),  // FlashEnergy
        ExifRule(.photo, 0xA215, .rational(isKnownZero: false)),  // ExposureIndex
        ExifRule(.photo, 0xA402, .short(allowed: [0...2])),  // ExposureMode
        ExifRule(.photo, 0xA403, .short(allowed: [0...1])),  // WhiteBalance
        ExifRule(.photo, 0xA404, .rational(isKnownZero: false)),  // DigitalZoomRatio
        ExifRule(.photo, 0xA405, .short(allowed: nil)),  // FocalLengthIn35mmFilm
        ExifRule(.photo, 0xA406, .short(allowed: [0...3])),  // SceneCaptureType
        ExifRule(.photo, 0xA407, .short(allowed: [0...4])),  // GainControl
        ExifRule(.photo, 0xA40C, .short(allowed: [0...3])),  // SubjectDistanceRange
    ]

    private static let time: [ExifRule] = [
        ExifRule(.photo, 0x9003, .date),  // DateTimeOriginal
        ExifRule(.photo, 0x9004, .date),  // DateTimeDigitized
        ExifRule(.photo, 0x9010, .offset),  // OffsetTime
        ExifRule(.photo, 0x9011, .offset),  // OffsetTimeOriginal
        ExifRule(.photo, 0x9012, .offset),  // OffsetTimeDigitized
        ExifRule(.photo, 0x9290, .text),  // SubSecTime
        ExifRule(.photo, 0x9291, .text),  // SubSecTimeOriginal
        ExifRule(.photo, 0x9292, .text),  // SubSecTimeDigitized
    ]

    private static let device: [ExifRule] = [
        ExifRule(.photo, 0x9286, .comment),  // UserComment
        ExifRule(.photo, 0x9400, .rational(isSigned: true)),  // AmbientTemperature
        ExifRule(.photo, 0x9401, .rational()),  // Humidity
        ExifRule(.photo, 0x9402, .rational()),  // Pressure
        ExifRule(.photo, 0x9403, .rational(isSigned: true)),  // WaterDepth
        ExifRule(.photo, 0x9404, .rational()),  // Acceleration
        ExifRule(.photo, 0x9405, .rational(isSigned: true)),  // CameraElevationAngle
        ExifRule(.photo, 0xA217, .short(allowed: [1...5, 7...8])),  // SensingMethod
        ExifRule(.photo, 0xA300, .code(allowed: 1...3)),  // FileSource
        ExifRule(.photo, 0xA301, .code(allowed: 1...1)),  // SceneType
        ExifRule(.photo, 0xA420, .text),  // ImageUniqueID
        ExifRule(.photo, 0xA430, .text),  // CameraOwnerName
        ExifRule(.photo, 0xA431, .text),  // BodySerialNumber
        ExifRule(.photo, 0xA432, .lens),  // LensSpecification
        ExifRule(.photo, 0xA433, .text),  // LensMake
        ExifRule(.photo, 0xA434, .text),  // LensModel
        ExifRule(.photo, 0xA435, .text),  // LensSerialNumber
        ExifRule(.photo, 0xA460, .short(allowed: [0...3])),  // CompositeImage
    ]

    /// The combinations of bits that EXIF gives a meaning.
    private static let flash: [ClosedRange<Int64>] = [
        0x00, 0x01, 0x05, 0x07, 0x08, 0x09, 0x0D, 0x0F, 0x10, 0x14, 0x18, 0x19, 0x1D, 0x1F, 0x20, 0x30, 0x41, 0x45,
        0x47, 0x49, 0x4D, 0x4F, 0x50, 0x58, 0x59, 0x5D, 0x5F,
    ].map { $0...$0 }

    /// Tags of DNG and other containers that say what an EXIF field says; used where that field is missing.
    static let aliases: [(number: UInt16, rule: ExifRule)] = [
        (0xC614, ExifRule(.image, 0x0110, .text)),  // UniqueCameraModel
        (0xC62F, ExifRule(.photo, 0xA431, .text)),  // CameraSerialNumber
        (0xC630, ExifRule(.photo, 0xA432, .lens)),  // DNG LensInfo
    ]
}
