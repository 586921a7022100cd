/// Tags of a TIFF directory: TIFF 6.0 (Adobe, 1992), TIFF/EP (ISO 12234-2) and DNG 1.4 (Adobe, 2012).
enum DNGTag {
    static let newSubfileType: UInt16 = 254
    static let imageWidth: UInt16 = 256
    static let imageLength: UInt16 = 257
    static let bitsPerSample: UInt16 = 258
    static let compression: UInt16 = 259
    static let photometricInterpretation: UInt16 = 262
    static let make: UInt16 = 271
    static let model: UInt16 = 272
    static let stripOffsets: UInt16 = 273
    static let orientation: UInt16 = 274
    static let samplesPerPixel: UInt16 = 277
    static let rowsPerStrip: UInt16 = 278
    static let stripByteCounts: UInt16 = 279
    static let xResolution: UInt16 = 282
    static let yResolution: UInt16 = 283
    static let planarConfiguration: UInt16 = 284
    static let resolutionUnit: UInt16 = 296
    static let software: UInt16 = 305
    static let dateTime: UInt16 = 306
    static let artist: UInt16 = 315
    static let tileWidth: UInt16 = 322
    static let tileLength: UInt16 = 323
    static let tileOffsets: UInt16 = 324
    static let tileByteCounts: UInt16 = 325
    static let subIFDs: UInt16 = 330
    static let xmp: UInt16 = 700
    static let copyright: UInt16 = 33432
    static let cfaRepeatPatternDim: UInt16 = 33421
    static let cfaPattern: UInt16 = 33422
    static let exifIFD: UInt16 = 34665
    static let gpsIFD: UInt16 = 34853
    static let dngVersion: UInt16 = 50706
    static let dngBackwardVersion: UInt16 = 50707
    static let uniqueCameraModel: UInt16 = 50708
    static let cfaPlaneColor: UInt16 = 50710
    static let cfaLayout: UInt16 = 50711
    static let linearizationTable: UInt16 = 50712
    static let blackLevelRepeatDim: UInt16 = 50713
    static let blackLevel: UInt16 = 50714
    static let whiteLevel: UInt16 = 50717
    static let defaultScale: UInt16 = 50718
    static let defaultCropOrigin: UInt16 = 50719
    static let defaultCropSize: UInt16 = 50720
    static let colorMatrix1: UInt16 = 50721
    static let colorMatrix2: UInt16 = 50722
    static let asShotNeutral: UInt16 = 50728
    static let baselineExposure: UInt16 = 50730
    static let calibrationIlluminant1: UInt16 = 50778
    static let calibrationIlluminant2: UInt16 = 50779
    static let activeArea: UInt16 = 50829
    static let previewColorSpace: UInt16 = 50970
    static let newRawImageDigest: UInt16 = 51111
}

/// Tags of the Exif IFD (CIPA DC-008, Exif 2.32).
enum ExifTag {
    static let exposureTime: UInt16 = 0x829a
    static let fNumber: UInt16 = 0x829d
    static let exposureProgram: UInt16 = 0x8822
    static let photographicSensitivity: UInt16 = 0x8827
    static let sensitivityType: UInt16 = 0x8830
    static let recommendedExposureIndex: UInt16 = 0x8832
    static let exifVersion: UInt16 = 0x9000
    static let dateTimeOriginal: UInt16 = 0x9003
    static let dateTimeDigitized: UInt16 = 0x9004
    static let offsetTime: UInt16 = 0x9010
    static let offsetTimeOriginal: UInt16 = 0x9011
    static let offsetTimeDigitized: UInt16 = 0x9012
    static let exposureBiasValue: UInt16 = 0x9204
    static let meteringMode: UInt16 = 0x9207
    static let flash: UInt16 = 0x9209
    static let focalLength: UInt16 = 0x920a
    static let subSecTimeOriginal: UInt16 = 0x9291
    static let exposureMode: UInt16 = 0xa402
    static let whiteBalance: UInt16 = 0xa403
    static let sceneCaptureType: UInt16 = 0xa406
    static let lensModel: UInt16 = 0xa434
}

/// Tags of the GPS IFD (CIPA DC-008, Exif 2.32).
enum GPSTag {
    static let versionID: UInt16 = 0
    static let latitudeRef: UInt16 = 1
    static let latitude: UInt16 = 2
    static let longitudeRef: UInt16 = 3
    static let longitude: UInt16 = 4
    static let altitudeRef: UInt16 = 5
    static let altitude: UInt16 = 6
}

/// Values of `DNGTag.compression`.
enum DNGCompressionCode {
    static let none: UInt16 = 1
    static let jpeg: UInt16 = 7
}

/// Values of `DNGTag.photometricInterpretation`.
enum Photometric {
    static let yCbCr: UInt16 = 6
    static let colourFilterArray: UInt16 = 32803
    static let linearRaw: UInt16 = 34892
}
