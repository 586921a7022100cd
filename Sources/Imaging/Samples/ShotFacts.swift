/// What a camera writes about a shot.
public struct ShotFacts: Hashable, Sendable {
    /// As EXIF writes it, "2024:05:01 10:00:00"; nil for a camera whose clock was never set.
    public var captured: String? = "2024:05:01 10:00:00"
    public var subSeconds: String? = "25"
    /// "+02:00".
    public var timeZone: String? = "+02:00"
    public var exposureTime = Rational(1, 125)
    public var fNumber = Rational(56, 10)
    public var iso: UInt16 = 100
    public var focalLength = Rational(35, 1)
    public var lens: String? = "Rawmill 35mm F2"
    public var artist: String?
    public var copyright: String?
    /// Latitude and longitude in degrees, north and east positive, altitude in metres.
    public var location: Location?
    /// The RAW's own XMP packet.
    public var xmp: [UInt8]?

    public struct Location: Hashable, Sendable {
        public var latitude: Double
        public var longitude: Double
        public var altitude: Double

        public init(latitude: Double, longitude: Double, altitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitude = altitude
        }
    }

    public init() {}
}

extension ShotFacts {
    /// The Exif IFD (EXIF 2.32).
    var exifDirectory: TIFFDirectory {
        var directory = TIFFDirectory([
            0x829a: .rationals([exposureTime]), 0x829d: .rationals([fNumber]), 0x8822: .shorts([2]),
            0x8827: .shorts([iso]), 0x8830: .shorts([2]), 0x8832: .longs([UInt32(iso)]),
            0x9000: .undefined(Array("0232".utf8)), 0x9204: .signedRationals([Rational(0, 10)]),
            0x9207: .shorts([5]), 0x9209: .shorts([16]), 0x920a: .rationals([focalLength]),
            0xa402: .shorts([0]), 0xa403: .shorts([0]), 0xa406: .shorts([0]),
        ])
        directory[0x9003] = captured.map { .ascii($0) }
        directory[0x9004] = captured.map { .ascii($0) }
        directory[0x9010] = timeZone.map { .ascii($0) }
        directory[0x9011] = timeZone.map { .ascii($0) }
        directory[0x9012] = timeZone.map { .ascii($0) }
        directory[0x9291] = subSeconds.map { .ascii($0) }
        directory[0xa434] = lens.map { .ascii($0) }
        return directory
    }

    var gpsDirectory: TIFFDirectory? {
        guard let location else { return nil }
        return TIFFDirectory([
            0x0000: .bytes([2, 3, 0, 0]),
            0x0001: .ascii(location.latitude < 0 ? "S" : "N"), 0x0002: .rationals(degrees(location.latitude)),
            0x0003: .ascii(location.longitude < 0 ? "W" : "E"), 0x0004: .rationals(degrees(location.longitude)),
            0x0005: .bytes([location.altitude < 0 ? 1 : 0]),
            0x0006: .rationals([Rational(Int64((location.altitude.magnitude * 100).rounded()), 100)]),
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
