/// Tag of a TIFF field: a 16-bit number that identifies the field.
///
/// Files may contain tags without a name here. GPS and interoperability directories have their own numbering, so that a
/// tag has a meaning only together with its directory.
public struct TIFFTag: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number in the file.
    public let rawValue: UInt16

    /// Creates a tag from any number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    private init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// Orders tags by number, as fields in a directory.
    public static func < (first: TIFFTag, second: TIFFTag) -> Bool { first.rawValue < second.rawValue }
}

/// TIFF Revision 6.0 (Adobe 1992).
extension TIFFTag {
    /// NewSubfileType.
    public static let newSubfileType = TIFFTag(254)
    /// ImageWidth.
    public static let imageWidth = TIFFTag(256)
    /// ImageLength.
    public static let imageLength = TIFFTag(257)
    /// BitsPerSample.
    public static let bitsPerSample = TIFFTag(258)
    /// Compression.
    public static let compression = TIFFTag(259)
    /// PhotometricInterpretation.
    public static let photometricInterpretation = TIFFTag(262)
    /// ImageDescription.
    public static let imageDescription = TIFFTag(270)
    /// Make.
    public static let make = TIFFTag(271)
    /// Model.
    public static let model = TIFFTag(272)
    /// StripOffsets.
    public static let stripOffsets = TIFFTag(273)
    /// Orientation.
    public static let orientation = TIFFTag(274)
    /// SamplesPerPixel.
    public static let samplesPerPixel = TIFFTag(277)
    /// RowsPerStrip.
    public static let rowsPerStrip = TIFFTag(278)
    /// StripByteCounts.
    public static let stripByteCounts = TIFFTag(279)
    /// XResolution.
    public static let xResolution = TIFFTag(282)
    /// YResolution.
    public static let yResolution = TIFFTag(283)
    /// PlanarConfiguration.
    public static let planarConfiguration = TIFFTag(284)
    /// ResolutionUnit.
    public static let resolutionUnit = TIFFTag(296)
    /// Software.
    public static let software = TIFFTag(305)
    /// DateTime.
    public static let dateTime = TIFFTag(306)
    /// Artist.
    public static let artist = TIFFTag(315)
    /// Predictor.
    public static let predictor = TIFFTag(317)
    /// TileWidth.
    public static let tileWidth = TIFFTag(322)
    /// TileLength.
    public static let tileLength = TIFFTag(323)
    /// TileOffsets.
    public static let tileOffsets = TIFFTag(324)
    /// TileByteCounts.
    public static let tileByteCounts = TIFFTag(325)
    /// SubIFDs.
    public static let subIFDs = TIFFTag(330)
    /// SampleFormat.
    public static let sampleFormat = TIFFTag(339)
    /// JPEGTables.
    public static let jpegTables = TIFFTag(347)
    /// JPEGInterchangeFormat.
    public static let jpegInterchangeFormat = TIFFTag(513)
    /// JPEGInterchangeFormatLength.
    public static let jpegInterchangeFormatLength = TIFFTag(514)
    /// YCbCrPositioning.
    public static let yCbCrPositioning = TIFFTag(531)
    /// Copyright.
    public static let copyright = TIFFTag(33432)
}

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
    /// CFARepeatPatternDim.
    public static let cfaRepeatPatternDim = TIFFTag(33421)
    /// CFAPattern.
    public static let cfaPattern = TIFFTag(33422)
    /// Canon's CR2: number of slices before the last, their width, and the width of the last.
    public static let canonSlices = TIFFTag(50752)
}

/// Digital Negative Specification 1.4 (Adobe 2012).
extension TIFFTag {
    /// DNGVersion.
    public static let dngVersion = TIFFTag(50706)
    /// DNGBackwardVersion.
    public static let dngBackwardVersion = TIFFTag(50707)
    /// UniqueCameraModel.
    public static let uniqueCameraModel = TIFFTag(50708)
    /// CFAPlaneColor.
    public static let cfaPlaneColor = TIFFTag(50710)
    /// CFALayout.
    public static let cfaLayout = TIFFTag(50711)
    /// LinearizationTable.
    public static let linearizationTable = TIFFTag(50712)
    /// BlackLevelRepeatDim.
    public static let blackLevelRepeatDim = TIFFTag(50713)
    /// BlackLevel.
    public static let blackLevel = TIFFTag(50714)
    /// BlackLevelDeltaH.
    public static let blackLevelDeltaH = TIFFTag(50715)
    /// BlackLevelDeltaV.
    public static let blackLevelDeltaV = TIFFTag(50716)
    /// WhiteLevel.
    public static let whiteLevel = TIFFTag(50717)
    /// DefaultScale.
    public static let defaultScale = TIFFTag(50718)
    /// DefaultCropOrigin.
    public static let defaultCropOrigin = TIFFTag(50719)
    /// DefaultCropSize.
    public static let defaultCropSize = TIFFTag(50720)
    /// ColorMatrix1.
    public static let colorMatrix1 = TIFFTag(50721)
    /// ColorMatrix2.
    public static let colorMatrix2 = TIFFTag(50722)
    /// CameraCalibration1.
    public static let cameraCalibration1 = TIFFTag(50723)
    /// CameraCalibration2.
    public static let cameraCalibration2 = TIFFTag(50724)
    /// AnalogBalance.
    public static let analogBalance = TIFFTag(50727)
    /// AsShotNeutral.
    public static let asShotNeutral = TIFFTag(50728)
    /// AsShotWhiteXY.
    public static let asShotWhiteXY = TIFFTag(50729)
    /// BaselineExposure.
    public static let baselineExposure = TIFFTag(50730)
    /// CameraSerialNumber.
    public static let cameraSerialNumber = TIFFTag(50735)
    /// LensInfo.
    public static let lensInfo = TIFFTag(50736)
    /// CalibrationIlluminant1.
    public static let calibrationIlluminant1 = TIFFTag(50778)
    /// CalibrationIlluminant2.
    public static let calibrationIlluminant2 = TIFFTag(50779)
    /// ActiveArea.
    public static let activeArea = TIFFTag(50829)
    /// CameraCalibrationSignature.
    public static let cameraCalibrationSignature = TIFFTag(50931)
    /// ProfileCalibrationSignature.
    public static let profileCalibrationSignature = TIFFTag(50932)
    /// PreviewColorSpace.
    public static let previewColorSpace = TIFFTag(50970)
    /// RowInterleaveFactor.
    public static let rowInterleaveFactor = TIFFTag(50975)
    /// ColumnInterleaveFactor.
    public static let columnInterleaveFactor = TIFFTag(52547)
    /// NewRawImageDigest.
    public static let newRawImageDigest = TIFFTag(51111)
    /// OpcodeList1, of DNG 1.3.
    public static let opcodeList1 = TIFFTag(51008)
    /// OpcodeList2.
    public static let opcodeList2 = TIFFTag(51009)
    /// OpcodeList3.
    public static let opcodeList3 = TIFFTag(51022)
}

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

/// Camera profiles and related fields (Digital Negative Specification 1.2 to 1.4, Adobe 2008 to 2012).
extension TIFFTag {
    /// ProfileName.
    public static let profileName = TIFFTag(50936)
    /// ProfileHueSatMapDims.
    public static let profileHueSatMapDims = TIFFTag(50937)
    /// ProfileHueSatMapData1.
    public static let profileHueSatMapData1 = TIFFTag(50938)
    /// ProfileHueSatMapData2.
    public static let profileHueSatMapData2 = TIFFTag(50939)
    /// ForwardMatrix1.
    public static let forwardMatrix1 = TIFFTag(50964)
    /// ForwardMatrix2.
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
    /// ProfileLookTableDims.
    public static let profileLookTableDims = TIFFTag(50981)
    /// ProfileLookTableData.
    public static let profileLookTableData = TIFFTag(50982)
    /// NoiseProfile.
    public static let noiseProfile = TIFFTag(51041)
    /// ProfileHueSatMapEncoding.
    public static let profileHueSatMapEncoding = TIFFTag(51107)
    /// ProfileLookTableEncoding.
    public static let profileLookTableEncoding = TIFFTag(51108)
    /// BaselineExposureOffset.
    public static let baselineExposureOffset = TIFFTag(51109)
    /// DefaultUserCrop.
    public static let defaultUserCrop = TIFFTag(51125)
}

/// Exif 2.32 (CIPA DC-008-2019).
extension TIFFTag {
    /// Exif IFD pointer.
    public static let exifIFD = TIFFTag(0x8769)
    /// GPS IFD pointer.
    public static let gpsIFD = TIFFTag(0x8825)

    /// ExposureTime.
    public static let exposureTime = TIFFTag(0x829A)
    /// FNumber.
    public static let fNumber = TIFFTag(0x829D)
    /// ExposureProgram.
    public static let exposureProgram = TIFFTag(0x8822)
    /// SpectralSensitivity.
    public static let spectralSensitivity = TIFFTag(0x8824)
    /// PhotographicSensitivity.
    public static let photographicSensitivity = TIFFTag(0x8827)
    /// OECF: the opto-electronic conversion function.
    public static let oecf = TIFFTag(0x8828)
    /// SensitivityType.
    public static let sensitivityType = TIFFTag(0x8830)
    /// StandardOutputSensitivity.
    public static let standardOutputSensitivity = TIFFTag(0x8831)
    /// RecommendedExposureIndex.
    public static let recommendedExposureIndex = TIFFTag(0x8832)
    /// ISOSpeed.
    public static let isoSpeed = TIFFTag(0x8833)
    /// ISOSpeedLatitudeyyy.
    public static let isoSpeedLatitudeyyy = TIFFTag(0x8834)
    /// ISOSpeedLatitudezzz.
    public static let isoSpeedLatitudezzz = TIFFTag(0x8835)
    /// ExifVersion.
    public static let exifVersion = TIFFTag(0x9000)
    /// DateTimeOriginal.
    public static let dateTimeOriginal = TIFFTag(0x9003)
    /// DateTimeDigitized.
    public static let dateTimeDigitized = TIFFTag(0x9004)
    /// OffsetTime.
    public static let offsetTime = TIFFTag(0x9010)
    /// OffsetTimeOriginal.
    public static let offsetTimeOriginal = TIFFTag(0x9011)
    /// OffsetTimeDigitized.
    public static let offsetTimeDigitized = TIFFTag(0x9012)
    /// ComponentsConfiguration.
    public static let componentsConfiguration = TIFFTag(0x9101)
    /// ShutterSpeedValue.
    public static let shutterSpeedValue = TIFFTag(0x9201)
    /// ApertureValue.
    public static let apertureValue = TIFFTag(0x9202)
    /// BrightnessValue.
    public static let brightnessValue = TIFFTag(0x9203)
    /// ExposureBiasValue.
    public static let exposureBiasValue = TIFFTag(0x9204)
    /// MaxApertureValue.
    public static let maxApertureValue = TIFFTag(0x9205)
    /// SubjectDistance.
    public static let subjectDistance = TIFFTag(0x9206)
    /// MeteringMode.
    public static let meteringMode = TIFFTag(0x9207)
    /// LightSource.
    public static let lightSource = TIFFTag(0x9208)
    /// Flash.
    public static let flash = TIFFTag(0x9209)
    /// FocalLength.
    public static let focalLength = TIFFTag(0x920A)
    /// MakerNote.
    public static let makerNote = TIFFTag(0x927C)
    /// UserComment.
    public static let userComment = TIFFTag(0x9286)
    /// SubSecTime.
    public static let subSecTime = TIFFTag(0x9290)
    /// SubSecTimeOriginal.
    public static let subSecTimeOriginal = TIFFTag(0x9291)
    /// SubSecTimeDigitized.
    public static let subSecTimeDigitized = TIFFTag(0x9292)
    /// AmbientTemperature.
    public static let ambientTemperature = TIFFTag(0x9400)
    /// Humidity.
    public static let humidity = TIFFTag(0x9401)
    /// Pressure.
    public static let pressure = TIFFTag(0x9402)
    /// WaterDepth.
    public static let waterDepth = TIFFTag(0x9403)
    /// Acceleration.
    public static let acceleration = TIFFTag(0x9404)
    /// CameraElevationAngle.
    public static let cameraElevationAngle = TIFFTag(0x9405)
    /// FlashpixVersion.
    public static let flashpixVersion = TIFFTag(0xA000)
    /// ColorSpace.
    public static let colorSpace = TIFFTag(0xA001)
    /// PixelXDimension.
    public static let pixelXDimension = TIFFTag(0xA002)
    /// PixelYDimension.
    public static let pixelYDimension = TIFFTag(0xA003)
    /// Interoperability IFD pointer.
    public static let interoperabilityIFD = TIFFTag(0xA005)
    /// FlashEnergy.
    public static let flashEnergy = TIFFTag(0xA20B)
    /// ExposureIndex.
    public static let exposureIndex = TIFFTag(0xA215)
    /// SensingMethod.
    public static let sensingMethod = TIFFTag(0xA217)
    /// FileSource.
    public static let fileSource = TIFFTag(0xA300)
    /// SceneType.
    public static let sceneType = TIFFTag(0xA301)
    /// ExposureMode.
    public static let exposureMode = TIFFTag(0xA402)
    /// WhiteBalance.
    public static let whiteBalance = TIFFTag(0xA403)
    /// DigitalZoomRatio.
    public static let digitalZoomRatio = TIFFTag(0xA404)
    /// FocalLengthIn35mmFilm.
    public static let focalLengthIn35mmFilm = TIFFTag(0xA405)
    /// SceneCaptureType.
    public static let sceneCaptureType = TIFFTag(0xA406)
    /// GainControl.
    public static let gainControl = TIFFTag(0xA407)
    /// SubjectDistanceRange.
    public static let subjectDistanceRange = TIFFTag(0xA40C)
    /// ImageUniqueID.
    public static let imageUniqueID = TIFFTag(0xA420)
    /// CameraOwnerName.
    public static let cameraOwnerName = TIFFTag(0xA430)
    /// BodySerialNumber.
    public static let bodySerialNumber = TIFFTag(0xA431)
    /// LensSpecification.
    public static let lensSpecification = TIFFTag(0xA432)
    /// LensMake.
    public static let lensMake = TIFFTag(0xA433)
    /// LensModel.
    public static let lensModel = TIFFTag(0xA434)
    /// LensSerialNumber.
    public static let lensSerialNumber = TIFFTag(0xA435)
    /// ImageTitle, of Exif 3.0 (CIPA DC-008-2023).
    public static let imageTitle = TIFFTag(0xA436)
    /// CompositeImage.
    public static let compositeImage = TIFFTag(0xA460)
}

/// The GPS directory of Exif 2.32 (CIPA DC-008-2019).
extension TIFFTag {
    /// GPSVersionID.
    public static let gpsVersionID = TIFFTag(0x00)
    /// GPSLatitudeRef.
    public static let gpsLatitudeRef = TIFFTag(0x01)
    /// GPSLatitude.
    public static let gpsLatitude = TIFFTag(0x02)
    /// GPSLongitudeRef.
    public static let gpsLongitudeRef = TIFFTag(0x03)
    /// GPSLongitude.
    public static let gpsLongitude = TIFFTag(0x04)
    /// GPSAltitudeRef.
    public static let gpsAltitudeRef = TIFFTag(0x05)
    /// GPSAltitude.
    public static let gpsAltitude = TIFFTag(0x06)
    /// GPSTimeStamp.
    public static let gpsTimeStamp = TIFFTag(0x07)
    /// GPSSatellites.
    public static let gpsSatellites = TIFFTag(0x08)
    /// GPSStatus.
    public static let gpsStatus = TIFFTag(0x09)
    /// GPSMeasureMode.
    public static let gpsMeasureMode = TIFFTag(0x0A)
    /// GPSDOP: the dilution of precision.
    public static let gpsDOP = TIFFTag(0x0B)
    /// GPSSpeedRef.
    public static let gpsSpeedRef = TIFFTag(0x0C)
    /// GPSSpeed.
    public static let gpsSpeed = TIFFTag(0x0D)
    /// GPSTrackRef.
    public static let gpsTrackRef = TIFFTag(0x0E)
    /// GPSTrack.
    public static let gpsTrack = TIFFTag(0x0F)
    /// GPSImgDirectionRef.
    public static let gpsImgDirectionRef = TIFFTag(0x10)
    /// GPSImgDirection.
    public static let gpsImgDirection = TIFFTag(0x11)
    /// GPSMapDatum.
    public static let gpsMapDatum = TIFFTag(0x12)
    /// GPSDestLatitudeRef.
    public static let gpsDestLatitudeRef = TIFFTag(0x13)
    /// GPSDestLatitude.
    public static let gpsDestLatitude = TIFFTag(0x14)
    /// GPSDestLongitudeRef.
    public static let gpsDestLongitudeRef = TIFFTag(0x15)
    /// GPSDestLongitude.
    public static let gpsDestLongitude = TIFFTag(0x16)
    /// GPSDestBearingRef.
    public static let gpsDestBearingRef = TIFFTag(0x17)
    /// GPSDestBearing.
    public static let gpsDestBearing = TIFFTag(0x18)
    /// GPSDestDistanceRef.
    public static let gpsDestDistanceRef = TIFFTag(0x19)
    /// GPSDestDistance.
    public static let gpsDestDistance = TIFFTag(0x1A)
    /// GPSProcessingMethod.
    public static let gpsProcessingMethod = TIFFTag(0x1B)
    /// GPSAreaInformation.
    public static let gpsAreaInformation = TIFFTag(0x1C)
    /// GPSDateStamp.
    public static let gpsDateStamp = TIFFTag(0x1D)
    /// GPSDifferential.
    public static let gpsDifferential = TIFFTag(0x1E)
    /// GPSHPositioningError.
    public static let gpsHPositioningError = TIFFTag(0x1F)
}
