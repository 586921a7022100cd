/// The second byte of a JPEG marker; the first is 0xFF (ITU-T T.81, table B.1).
public struct JPEGMarker: RawRepresentable, Hashable, Sendable {
    /// The marker's byte.
    public let rawValue: UInt8

    /// Creates a marker from any byte.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// SOF0: a baseline picture.
    public static let startOfBaselineFrame = JPEGMarker(rawValue: 0xC0)
    /// SOF1: a sequential picture with more tables or bits than baseline allows.
    public static let startOfSequentialFrame = JPEGMarker(rawValue: 0xC1)
    /// SOF2: a progressive picture, in several scans.
    public static let startOfProgressiveFrame = JPEGMarker(rawValue: 0xC2)
    /// SOF3: a lossless picture.
    public static let startOfLosslessFrame = JPEGMarker(rawValue: 0xC3)
    /// DHT.
    public static let huffmanTables = JPEGMarker(rawValue: 0xC4)
    /// JPG, reserved.
    public static let jpegExtension = JPEGMarker(rawValue: 0xC8)
    /// DAC.
    public static let arithmeticConditioning = JPEGMarker(rawValue: 0xCC)
    /// SOI.
    public static let startOfImage = JPEGMarker(rawValue: 0xD8)
    /// EOI.
    public static let endOfImage = JPEGMarker(rawValue: 0xD9)
    /// SOS: entropy-coded data follows its segment.
    public static let startOfScan = JPEGMarker(rawValue: 0xDA)
    /// DQT.
    public static let quantisationTables = JPEGMarker(rawValue: 0xDB)
    /// DRI.
    public static let restartInterval = JPEGMarker(rawValue: 0xDD)
    /// APP0: JFIF.
    public static let app0 = JPEGMarker(rawValue: 0xE0)
    /// APP1: EXIF and XMP.
    public static let app1 = JPEGMarker(rawValue: 0xE1)
    /// APP2: ICC profiles, multi-picture indexes, gain maps.
    public static let app2 = JPEGMarker(rawValue: 0xE2)

    /// Whether the marker is an SOF. DHT, JPG and DAC share its range.
    public var isStartOfFrame: Bool {
        (0xC0...0xCF).contains(rawValue)
            && ![.huffmanTables, .jpegExtension, .arithmeticConditioning].contains(self)
    }

    /// Whether a segment with a length follows; false for RST, SOI, EOI, TEM and reserved markers.
    var hasSegment: Bool { (0xC0...0xFE).contains(rawValue) && !(0xD0...0xD9).contains(rawValue) }
}
