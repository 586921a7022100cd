internal import TIFF

/// Facts that a camera records about a shot.
public struct ShotFacts: Hashable, Sendable {
    /// Capture time in EXIF's form, "2024:05:01 10:00:00"; nil if the clock was never set.
    public var captured: String? = "2024:05:01 10:00:00"
    /// Digits after the seconds; nil if not recorded.
    public var subSeconds: String? = "25"
    /// Offset from UTC, "+02:00".
    public var timeZone: String? = "+02:00"
    /// Exposure time, in seconds.
    public var exposureTime = Rational(1, 125)
    /// The aperture.
    public var fNumber = Rational(56, 10)
    /// ISO sensitivity.
    public var iso: UInt16 = 100
    /// Focal length, in millimetres.
    public var focalLength = Rational(35, 1)
    /// The lens's name.
    public var lens: String? = "Rawmill 35mm F2"
    /// The photographer's name.
    public var artist: String?
    /// The copyright notice.
    public var copyright: String?
    /// Place of capture; nil if not recorded.
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

        /// Creates a position from its coordinates.
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
    var exifDirectory: ImageFileDirectory {
        var directory = ImageFileDirectory([
            .exposureTime: .rationals([exposureTime]),
            .fNumber: .rationals([fNumber]),
            .exposureProgram: .shorts([2]),
            .photographicSensitivity: .shorts([iso]),
            .sensitivityType: .shorts([2]),
            .recommendedExposureIndex: .longs([UInt32(iso)]),
            .exifVersion: .undefined(Array("0232".utf8)),
            .exposureBiasValue: .signedRationals([Rational(0, 10)]),
            .meteringMode: .shorts([5]),
            .flash: .shorts([16]),
            .focalLength: .rationals([focalLength]),
            .exposureMode: .shorts([0]),
            .whiteBalance: .shorts([0]),
            .sceneCaptureType: .shorts([0]),
        ])
        directory[.dateTimeOriginal] = captured.map { .ascii($0) }
        directory[.dateTimeDigitized] = captured.map { .ascii($0) }
        directory[.offsetTime] = timeZone.map { .ascii($0) }
        directory[.offsetTimeOriginal] = timeZone.map { .ascii($0) }
        directory[.offsetTimeDigitized] = timeZone.map { .ascii($0) }
        directory[.subSecTimeOriginal] = subSeconds.map { .ascii($0) }
        directory[.lensModel] = lens.map { .ascii($0) }
        return directory
    }

    var gpsDirectory: ImageFileDirectory? {
        guard let location else { return nil }
        return ImageFileDirectory([
            .gpsVersionID: .bytes([2, 3, 0, 0]),
            .gpsLatitudeRef: .ascii(location.latitude < 0 ? "S" : "N"),
            .gpsLatitude: .rationals(degrees(location.latitude)),
            .gpsLongitudeRef: .ascii(location.longitude < 0 ? "W" : "E"),
            .gpsLongitude: .rationals(degrees(location.longitude)),
            .gpsAltitudeRef: .bytes([location.altitude < 0 ? 1 : 0]),
            .gpsAltitude: .rationals([Rational(Int64((location.altitude.magnitude * 100).rounded()), 100)]),
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
