internal import TIFF

extension ExifRules {
    static let gps: [ExifRule] = [
        ExifRule(.gps, .gpsLatitudeRef, .letter("NS")),
        ExifRule(.gps, .gpsLatitude, .rational(count: 3)),
        ExifRule(.gps, .gpsLongitudeRef, .letter("EW")),
        ExifRule(.gps, .gpsLongitude, .rational(count: 3)),
        ExifRule(.gps, .gpsAltitudeRef, .byte(allowed: 0...1)),
        ExifRule(.gps, .gpsAltitude, .rational()),
        ExifRule(.gps, .gpsTimeStamp, .rational(count: 3)),
        ExifRule(.gps, .gpsSatellites, .text),
        ExifRule(.gps, .gpsStatus, .letter("AV")),
        ExifRule(.gps, .gpsMeasureMode, .letter("23")),
        ExifRule(.gps, .gpsDOP, .rational()),
        ExifRule(.gps, .gpsSpeedRef, .letter("KMN")),
        ExifRule(.gps, .gpsSpeed, .rational()),
        ExifRule(.gps, .gpsTrackRef, .letter("TM")),
        ExifRule(.gps, .gpsTrack, .rational()),
        ExifRule(.gps, .gpsImgDirectionRef, .letter("TM")),
        ExifRule(.gps, .gpsImgDirection, .rational()),
        ExifRule(.gps, .gpsMapDatum, .text),
        ExifRule(.gps, .gpsDestLatitudeRef, .letter("NS")),
        ExifRule(.gps, .gpsDestLatitude, .rational(count: 3)),
        ExifRule(.gps, .gpsDestLongitudeRef, .letter("EW")),
        ExifRule(.gps, .gpsDestLongitude, .rational(count: 3)),
        ExifRule(.gps, .gpsDestBearingRef, .letter("TM")),
        ExifRule(.gps, .gpsDestBearing, .rational()),
        ExifRule(.gps, .gpsDestDistanceRef, .letter("KMN")),
        ExifRule(.gps, .gpsDestDistance, .rational()),
        ExifRule(.gps, .gpsProcessingMethod, .gpsMethod),
        ExifRule(.gps, .gpsAreaInformation, .comment),
        ExifRule(.gps, .gpsDateStamp, .day),
        ExifRule(.gps, .gpsDifferential, .short(allowed: [0...1])),
        ExifRule(.gps, .gpsHPositioningError, .rational()),
    ]

    /// Coordinates without their hemisphere are meaningless or wrong: these fields are kept only in pairs.
    static let inseparable: [(TIFFTag, TIFFTag)] = [
        (.gpsLatitudeRef, .gpsLatitude), (.gpsLongitudeRef, .gpsLongitude),
        (.gpsDestLatitudeRef, .gpsDestLatitude), (.gpsDestLongitudeRef, .gpsDestLongitude),
    ]
}
