import TIFF

/// Capture time and camera of a photo. They decide whether a JPEG beside a RAW is of the same shot: file names cannot,
/// because cameras' counters wrap.
public struct CaptureStamp: Hashable, Sendable {
    /// DateTimeOriginal, `YYYY:MM:DD HH:MM:SS` on the camera's clock; nil if not recorded.
    public let captured: String?
    /// SubSecTimeOriginal: digits after the decimal point.
    public let fraction: String?
    /// The camera.
    public let model: String?

    /// - Parameters:
    ///   - fields: of a RAW or JPEG.
    ///   - captured: used if the fields have no capture time.
    ///   - model: used if the fields name no camera.
    public init(_ fields: [ExifField], captured: String? = nil, model: String? = nil) {
        let inherited = InheritedExif(fields)
        self.captured =
            inherited[.photo, .dateTimeOriginal]?.text ?? captured.flatMap { ExifText.isDate($0) ? $0 : nil }
        fraction = inherited[.photo, .subSecTimeOriginal]?.text
        self.model = inherited[.image, .model]?.text ?? model.flatMap(ExifText.trimmed)
    }

    /// The stamp of a RAW.
    public init(_ source: SourceMetadata) {
        self.init(source.exif, captured: source.captured, model: source.model)
    }

    /// The stamp of a JPEG.
    ///
    /// - Parameter prefix: the file's first bytes; `JPEGMetadata.prefixByteCount` always suffice.
    public init(jpeg prefix: [UInt8]) { self.init(ExifField.read(fromJPEG: prefix)) }

    /// Whether both have the same capture time, and neither fractions of a second nor models contradict.
    ///
    /// Two files without a capture time are never the same shot.
    public func isSameShot(as other: CaptureStamp) -> Bool {
        guard let captured, captured == other.captured else { return false }
        return Self.agree(fraction, other.fraction, Self.sameFraction) && Self.agree(model, other.model, Self.sameModel)
    }

    private static func agree(_ a: String?, _ b: String?, _ same: (String, String) -> Bool) -> Bool {
        guard let a, let b else { return true }
        return same(a, b)
    }

    /// Ignores trailing zeros: cameras write one to three digits, not always as many in the RAW as in the JPEG, such as
    /// `43` and `430`.
    private static func sameFraction(_ a: String, _ b: String) -> Bool {
        func digits(_ text: String) -> Substring {
            var text = text[...]
            while text.last == "0" { text.removeLast() }
            return text
        }
        return digits(a) == digits(b)
    }

    /// Some containers put the maker's name before the model.
    private static func sameModel(_ a: String, _ b: String) -> Bool {
        let (a, b) = (a.lowercased(), b.lowercased())
        return a.hasSuffix(b) || b.hasSuffix(a)
    }
}
