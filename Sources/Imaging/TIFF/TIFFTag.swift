/// Tag of a TIFF field: a 16-bit number that identifies the field.
///
/// The constants have the standards' names; files may contain other tags. GPS and interoperability directories have their
/// own numbering, so that a tag has a meaning only together with its directory.
public struct TIFFTag: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number in the file.
    public let rawValue: UInt16

    /// Creates a tag from any number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    private init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// Orders tags by number, as fields in a directory.
    public static func < (first: TIFFTag, second: TIFFTag) -> Bool { first.rawValue < second.rawValue }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// TIFF Revision 6.0 (Adobe 1992).
extension TIFFTag {
    public static let newSubfileType = TIFFTag(254)
    public static let imageWidth = TIFFTag(256)
    public static let imageLength = TIFFTag(257)
    public static let bitsPerSample = TIFFTag(258)
    public static let compression = TIFFTag(259)
    public static let photometricInterpretation = TIFFTag(262)
    public static let imageDescription = TIFFTag(270)
    public static let make = TIFFTag(271)
    public static let model = TIFFTag(272)
    public static let stripOffsets = TIFFTag(273)
    public static let orientation = TIFFTag(274)
    public static let samplesPerPixel = TIFFTag(277)
    public static let rowsPerStrip = TIFFTag(278)
    public static let stripByteCounts = TIFFTag(279)
    public static let xResolution = TIFFTag(282)
    public static let yResolution = TIFFTag(283)
    public static let planarConfiguration = TIFFTag(284)
    public static let resolutionUnit = TIFFTag(296)
    public static let software = TIFFTag(305)
    public static let dateTime = TIFFTag(306)
    public static let artist = TIFFTag(315)
    public static let predictor = TIFFTag(317)
    public static let tileWidth = TIFFTag(322)
    public static let tileLength = TIFFTag(323)
    public static let tileOffsets = TIFFTag(324)
    public static let tileByteCounts = TIFFTag(325)
    public static let subIFDs = TIFFTag(330)
    public static let sampleFormat = TIFFTag(339)
    public static let jpegTables = TIFFTag(347)
    public static let jpegInterchangeFormat = TIFFTag(513)
    public static let jpegInterchangeFormatLength = TIFFTag(514)
    public static let yCbCrPositioning = TIFFTag(531)
    public static let copyright = TIFFTag(33432)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// XMP Specification Part 3 (Adobe 2020), Windows' own (Microsoft), TIFF/EP (ISO 12234-2:2001), and Canon's own (Clévy
/// 2016).
extension TIFFTag {
    /// XMP: the packet.
    public static let xmp = TIFFTag(700)
    /// Rating: stars given on the camera or in Windows, 0 to 5.
    public static let rating = TIFFTag(0x4746)
    /// RatingPercent: the rating from 1 to 99.
    public static let ratingPercent = TIFFTag(0x4749)
    /// IPTC: a block of the Information Interchange Model.
    public static let iptc = TIFFTag(33723)
    /// XPKeywords of Windows.
    public static let xpKeywords = TIFFTag(0x9C9E)
    /// InterColorProfile: an ICC profile.
    public static let iccProfile = TIFFTag(34675)
    public static let cfaRepeatPatternDim = TIFFTag(33421)
    public static let cfaPattern = TIFFTag(33422)
    /// Canon's CR2: number of slices before the last, their width, and the width of the last.
    public static let canonSlices = TIFFTag(50752)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Digital Negative Specification 1.4 (Adobe 2012).
extension TIFFTag {
    public static let dngVersion = TIFFTag(50706)
    public static let dngBackwardVersion = TIFFTag(50707)
    public static let uniqueCameraModel = TIFFTag(50708)
    public static let cfaPlaneColor = TIFFTag(50710)
    public static let cfaLayout = TIFFTag(50711)
    public static let linearizationTable = TIFFTag(50712)
    public static let blackLevelRepeatDim = TIFFTag(50713)
    public static let blackLevel = TIFFTag(50714)
    public static let blackLevelDeltaH = TIFFTag(50715)
    public static let blackLevelDeltaV = TIFFTag(50716)
    public static let whiteLevel = TIFFTag(50717)
    public static let defaultScale = TIFFTag(50718)
    public static let defaultCropOrigin = TIFFTag(50719)
    public static let defaultCropSize = TIFFTag(50720)
    public static let colorMatrix1 = TIFFTag(50721)
    public static let colorMatrix2 = TIFFTag(50722)
    public static let cameraCalibration1 = TIFFTag(50723)
    public static let cameraCalibration2 = TIFFTag(50724)
    public static let analogBalance = TIFFTag(50727)
    public static let asShotNeutral = TIFFTag(50728)
    public static let asShotWhiteXY = TIFFTag(50729)
    public static let baselineExposure = TIFFTag(50730)
    public static let cameraSerialNumber = TIFFTag(50735)
    public static let lensInfo = TIFFTag(50736)
    public static let calibrationIlluminant1 = TIFFTag(50778)
    public static let calibrationIlluminant2 = TIFFTag(50779)
    public static let activeArea = TIFFTag(50829)
    public static let cameraCalibrationSignature = TIFFTag(50931)
    public static let profileCalibrationSignature = TIFFTag(50932)
    public static let previewColorSpace = TIFFTag(50970)
    public static let rowInterleaveFactor = TIFFTag(50975)
    public static let columnInterleaveFactor = TIFFTag(52547)
    public static let newRawImageDigest = TIFFTag(51111)
    /// OpcodeList1, of DNG 1.3.
    public static let opcodeList1 = TIFFTag(51008)
    public static let opcodeList2 = TIFFTag(51009)
    public static let opcodeList3 = TIFFTag(51022)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Lens corrections in Sony's files (ExifTool's names).
extension TIFFTag {
    /// ChromaticAberrationCorrection.
    public static let sonyLateralColourSetting = TIFFTag(0x7034)
    /// ChromaticAberrationCorrParams.
    public static let sonyLateralColour = TIFFTag(0x7035)
    /// DistortionCorrection.
    public static let sonyDistortionSetting = TIFFTag(0x7036)
    /// DistortionCorrParams.
    public static let sonyDistortion = TIFFTag(0x7037)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Camera profiles and related fields (Digital Negative Specification 1.2 to 1.4, Adobe 2008 to 2012).
extension TIFFTag {
    public static let profileName = TIFFTag(50936)
    public static let profileHueSatMapDims = TIFFTag(50937)
    public static let profileHueSatMapData1 = TIFFTag(50938)
    public static let profileHueSatMapData2 = TIFFTag(50939)
    public static let forwardMatrix1 = TIFFTag(50964)
    public static let forwardMatrix2 = TIFFTag(50965)
    /// DNG: the light of the third calibration (1.6).
    public static let calibrationIlluminant3 = TIFFTag(52529)
    /// DNG: from the reference camera to this one under the third light.
    public static let cameraCalibration3 = TIFFTag(52530)
    /// DNG: from XYZ to the camera's colour under the third light.
    public static let colorMatrix3 = TIFFTag(52531)
    /// DNG: from the camera's balanced colour to XYZ under the third light.
    public static let forwardMatrix3 = TIFFTag(52532)
    /// DNG: the first light, if EXIF has no number for it.
    public static let illuminantData1 = TIFFTag(52533)
    /// DNG: the second light, if EXIF has no number for it.
    public static let illuminantData2 = TIFFTag(52534)
    /// DNG: the third light, if EXIF has no number for it.
    public static let illuminantData3 = TIFFTag(52535)
    /// DNG: the table of hue, saturation and value under the third light.
    public static let profileHueSatMapData3 = TIFFTag(52537)
    public static let profileLookTableDims = TIFFTag(50981)
    public static let profileLookTableData = TIFFTag(50982)
    public static let noiseProfile = TIFFTag(51041)
    public static let profileHueSatMapEncoding = TIFFTag(51107)
    public static let profileLookTableEncoding = TIFFTag(51108)
    public static let baselineExposureOffset = TIFFTag(51109)
    public static let defaultUserCrop = TIFFTag(51125)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Exif 2.32 (CIPA DC-008-2019).
extension TIFFTag {
    /// Exif IFD pointer.
    public static let exifIFD = TIFFTag(0x8769)
    /// GPS IFD pointer.
    public static let gpsIFD = TIFFTag(0x8825)

    public static let exposureTime = TIFFTag(0x829A)
    public static let fNumber = TIFFTag(0x829D)
    public static let exposureProgram = TIFFTag(0x8822)
    public static let spectralSensitivity = TIFFTag(0x8824)
    public static let photographicSensitivity = TIFFTag(0x8827)
    /// OECF: the opto-electronic conversion function.
    public static let oecf = TIFFTag(0x8828)
    public static let sensitivityType = TIFFTag(0x8830)
    public static let standardOutputSensitivity = TIFFTag(0x8831)
    public static let recommendedExposureIndex = TIFFTag(0x8832)
    public static let isoSpeed = TIFFTag(0x8833)
    public static let isoSpeedLatitudeyyy = TIFFTag(0x8834)
    public static let isoSpeedLatitudezzz = TIFFTag(0x8835)
    public static let exifVersion = TIFFTag(0x9000)
    public static let dateTimeOriginal = TIFFTag(0x9003)
    public static let dateTimeDigitized = TIFFTag(0x9004)
    public static let offsetTime = TIFFTag(0x9010)
    public static let offsetTimeOriginal = TIFFTag(0x9011)
    public static let offsetTimeDigitized = TIFFTag(0x9012)
    public static let componentsConfiguration = TIFFTag(0x9101)
    public static let shutterSpeedValue = TIFFTag(0x9201)
    public static let apertureValue = TIFFTag(0x9202)
    public static let brightnessValue = TIFFTag(0x9203)
    public static let exposureBiasValue = TIFFTag(0x9204)
    public static let maxApertureValue = TIFFTag(0x9205)
    public static let subjectDistance = TIFFTag(0x9206)
    public static let meteringMode = TIFFTag(0x9207)
    public static let lightSource = TIFFTag(0x9208)
    public static let flash = TIFFTag(0x9209)
    public static let focalLength = TIFFTag(0x920A)
    public static let makerNote = TIFFTag(0x927C)
    public static let userComment = TIFFTag(0x9286)
    public static let subSecTime = TIFFTag(0x9290)
    public static let subSecTimeOriginal = TIFFTag(0x9291)
    public static let subSecTimeDigitized = TIFFTag(0x9292)
    public static let ambientTemperature = TIFFTag(0x9400)
    public static let humidity = TIFFTag(0x9401)
    public static let pressure = TIFFTag(0x9402)
    public static let waterDepth = TIFFTag(0x9403)
    public static let acceleration = TIFFTag(0x9404)
    public static let cameraElevationAngle = TIFFTag(0x9405)
    public static let flashpixVersion = TIFFTag(0xA000)
    public static let colorSpace = TIFFTag(0xA001)
    public static let pixelXDimension = TIFFTag(0xA002)
    public static let pixelYDimension = TIFFTag(0xA003)
    /// Interoperability IFD pointer.
    public static let interoperabilityIFD = TIFFTag(0xA005)
    public static let flashEnergy = TIFFTag(0xA20B)
    public static let exposureIndex = TIFFTag(0xA215)
    public static let sensingMethod = TIFFTag(0xA217)
    public static let fileSource = TIFFTag(0xA300)
    public static let sceneType = TIFFTag(0xA301)
    public static let exposureMode = TIFFTag(0xA402)
    public static let whiteBalance = TIFFTag(0xA403)
    public static let digitalZoomRatio = TIFFTag(0xA404)
    public static let focalLengthIn35mmFilm = TIFFTag(0xA405)
    public static let sceneCaptureType = TIFFTag(0xA406)
    public static let gainControl = TIFFTag(0xA407)
    public static let subjectDistanceRange = TIFFTag(0xA40C)
    public static let imageUniqueID = TIFFTag(0xA420)
    public static let cameraOwnerName = TIFFTag(0xA430)
    public static let bodySerialNumber = TIFFTag(0xA431)
    public static let lensSpecification = TIFFTag(0xA432)
    public static let lensMake = TIFFTag(0xA433)
    public static let lensModel = TIFFTag(0xA434)
    public static let lensSerialNumber = TIFFTag(0xA435)
    /// ImageTitle, of Exif 3.0 (CIPA DC-008-2023).
    public static let imageTitle = TIFFTag(0xA436)
    public static let compositeImage = TIFFTag(0xA460)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// The GPS directory of Exif 2.32 (CIPA DC-008-2019).
extension TIFFTag {
    public static let gpsVersionID = TIFFTag(0x00)
    public static let gpsLatitudeRef = TIFFTag(0x01)
    public static let gpsLatitude = TIFFTag(0x02)
    public static let gpsLongitudeRef = TIFFTag(0x03)
    public static let gpsLongitude = TIFFTag(0x04)
    public static let gpsAltitudeRef = TIFFTag(0x05)
    public static let gpsAltitude = TIFFTag(0x06)
    public static let gpsTimeStamp = TIFFTag(0x07)
    public static let gpsSatellites = TIFFTag(0x08)
    public static let gpsStatus = TIFFTag(0x09)
    public static let gpsMeasureMode = TIFFTag(0x0A)
    /// GPSDOP: the dilution of precision.
    public static let gpsDOP = TIFFTag(0x0B)
    public static let gpsSpeedRef = TIFFTag(0x0C)
    public static let gpsSpeed = TIFFTag(0x0D)
    public static let gpsTrackRef = TIFFTag(0x0E)
    public static let gpsTrack = TIFFTag(0x0F)
    public static let gpsImgDirectionRef = TIFFTag(0x10)
    public static let gpsImgDirection = TIFFTag(0x11)
    public static let gpsMapDatum = TIFFTag(0x12)
    public static let gpsDestLatitudeRef = TIFFTag(0x13)
    public static let gpsDestLatitude = TIFFTag(0x14)
    public static let gpsDestLongitudeRef = TIFFTag(0x15)
    public static let gpsDestLongitude = TIFFTag(0x16)
    public static let gpsDestBearingRef = TIFFTag(0x17)
    public static let gpsDestBearing = TIFFTag(0x18)
    public static let gpsDestDistanceRef = TIFFTag(0x19)
    public static let gpsDestDistance = TIFFTag(0x1A)
    public static let gpsProcessingMethod = TIFFTag(0x1B)
    public static let gpsAreaInformation = TIFFTag(0x1C)
    public static let gpsDateStamp = TIFFTag(0x1D)
    public static let gpsDifferential = TIFFTag(0x1E)
    public static let gpsHPositioningError = TIFFTag(0x1F)
}
