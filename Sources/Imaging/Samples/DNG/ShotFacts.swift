/// What a camera records about a shot.
public struct ShotFacts: Hashable, Sendable {
    /// As EXIF writes it, "2024:05:01 10:00:00"; nil for a camera whose clock was never set.
    public var captured: String? = "2024:05:01 10:00:00"
    /// Digits after the seconds; nil where not recorded.
    public var subSeconds: String? = "25"
    /// Offset from UTC, "+02:00".
    public var timeZone: String? = "+02:00"
    /// In seconds.
    public var exposureTime = Rational(1, 125)
    /// The aperture.
    public var fNumber = Rational(56, 10)
    /// Sensitivity.
    public var iso: UInt16 = 100
    /// In millimetres.
    public var focalLength = Rational(35, 1)
    /// The lens's name.
    public var lens: String? = "Rawmill 35mm F2"
    /// The photographer's name.
    public var artist: String?
    /// The copyright notice.
    public var copyright: String?
    /// Where it was taken; nil where not recorded.
    public var location: Location?
    /// The RAW's own XMP packet; nil for none.
    public var xmp: [UInt8]?

    /// A GPS position.
    public struct Location: Hashable, Sendable {
        /// Degrees, north positive.
        public var latitude: Double
        /// Degrees, east positive.
        public var longitude: Double
        /// Metres above sea level.
        public var altitude: Double

        /// The parameters are the properties of the same names.
        public init(latitude: Double, longitude: Double, altitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
        }
    }

    /// A shot with date, exposure and lens.
    public init() {}
}

extension ShotFacts {
    /// The Exif IFD (EXIF 2.32).
    var exifDirectory: TIFFDirectory {
        var directory = TIFFDirectory([
            ExifTag.exposureTime: .rationals([exposureTime]),
            ExifTag.fNumber: .rationals([fNumber]),
            ExifTag.exposureProgram: .shorts([2]),
            ExifTag.photographicSensitivity: .shorts([iso]),
            ExifTag.sensitivityType: .shorts([2]),
            ExifTag.recommendedExposureIndex: .longs([UInt32(iso)]),
            ExifTag.exifVersion: .undefined(Array("0232".utf8)),
            ExifTag.exposureBiasValue: .signedRationals([Rational(0, 10)]),
            ExifTag.meteringMode: .shorts([5]),
            ExifTag.flash: .shorts([16]),
            ExifTag.focalLength: .rationals([focalLength]),
            ExifTag.exposureMode: .shorts([0]),
            ExifTag.whiteBalance: .shorts([0]),
            ExifTag.sceneCaptureType: .shorts([0]),
        ])
        directory[ExifTag.dateTimeOriginal] = captured.map { .ascii($0) }
        directory[ExifTag.dateTimeDigitized] = captured.map { .ascii($0) }
        directory[ExifTag.offsetTime] = timeZone.map { .ascii($0) }
        directory[ExifTag.offsetTimeOriginal] = timeZone.map { .ascii($0) }
        directory[ExifTag.offsetTimeDigitized] = timeZone.map { .ascii($0) }
        directory[ExifTag.subSecTimeOriginal] = subSeconds.map { .ascii($0) }
        directory[ExifTag.lensModel] = lens.map { .ascii($0) }
        return directory
    }

    var gpsDirectory: TIFFDirectory? {
        guard let location else { return nil }
        return TIFFDirectory([
            GPSTag.versionID: .bytes([2, 3, 0, 0]),
            GPSTag.latitudeRef: .ascii(location.latitude < 0 ? "S" : "N"),
            GPSTag.latitude: .rationals(degrees(location.latitude)),
            GPSTag.longitudeRef: .ascii(location.longitude < 0 ? "W" : "E"),
            GPSTag.longitude: .rationals(degrees(location.longitude)),
            GPSTag.altitudeRef: .bytes([location.altitude < 0 ? 1 : 0]),
            GPSTag.altitude: .rationals([Rational(Int64((location.altitude.magnitude * 100).rounded()), 100)]),
        ])
    }

    /// Degrees, minutes, and seconds to a thousandth.
    private func degrees(_ angle: Double) -> [Rational] {
        let thousandths = Int64((angle.magnitude * 3_600_000).rounded())
        return [
            Rational(thousandths / 3_600_000, 1), Rational(thousandths / 60_000 % 60, 1),
            Rational(thousandths % 60_000, 1000),
        ]
    }
}
