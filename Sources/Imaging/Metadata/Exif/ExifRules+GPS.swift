/// The GPS directory, whole.
extension ExifRules {
    static let gps: [ExifRule] = [
        ExifRule(.gps, 0x01, .letter("NS")),  // LatitudeRef
        ExifRule(.gps, 0x02, .rational(count: 3)),  // Latitude
        ExifRule(.gps, 0x03, .letter("EW")),  // LongitudeRef
        ExifRule(.gps, 0x04, .rational(count: 3)),  // Longitude
        ExifRule(.gps, 0x05, .byte(allowed: 0...1)),  // AltitudeRef
        ExifRule(.gps, 0x06, .rational()),  // Altitude
        ExifRule(.gps, 0x07, .rational(count: 3)),  // TimeStamp
        ExifRule(.gps, 0x08, .text),  // Satellites
        ExifRule(.gps, 0x09, .letter("AV")),  // Status
        ExifRule(.gps, 0x0A, .letter("23")),  // MeasureMode
        ExifRule(.gps, 0x0B, .rational()),  // DOP
        ExifRule(.gps, 0x0C, .letter("KMN")),  // SpeedRef
        ExifRule(.gps, 0x0D, .rational()),  // Speed
        ExifRule(.gps, 0x0E, .letter("TM")),  // TrackRef
        ExifRule(.gps, 0x0F, .rational()),  // Track
        ExifRule(.gps, 0x10, .letter("TM")),  // ImgDirectionRef
        ExifRule(.gps, 0x11, .rational()),  // ImgDirection
        ExifRule(.gps, 0x12, .text),  // MapDatum
        ExifRule(.gps, 0x13, .letter("NS")),  // DestLatitudeRef
        ExifRule(.gps, 0x14, .rational(count: 3)),  // DestLatitude
        ExifRule(.gps, 0x15, .letter("EW")),  // DestLongitudeRef
        ExifRule(.gps, 0x16, .rational(count: 3)),  // DestLongitude
        ExifRule(.gps, 0x17, .letter("TM")),  // DestBearingRef
        ExifRule(.gps, 0x18, .rational()),  // DestBearing
        ExifRule(.gps, 0x19, .letter("KMN")),  // DestDistanceRef
        ExifRule(.gps, 0x1A, .rational()),  // DestDistance
        ExifRule(.gps, 0x1B, .gpsMethod),  // ProcessingMethod
        ExifRule(.gps, 0x1C, .comment),  // AreaInformation
        ExifRule(.gps, 0x1D, .day),  // DateStamp
        ExifRule(.gps, 0x1E, .short(allowed: [0...1])),  // Differential
        ExifRule(.gps, 0x1F, .rational()),  // HPositioningError
    ]

    /// A place on the globe means nothing, or another place, without its hemisphere: each tag needs its partner.
    static let inseparable: [(UInt16, UInt16)] = [(0x01, 0x02), (0x03, 0x04), (0x13, 0x14), (0x15, 0x16)]
}
