import TIFF

/// When and by which camera a photo was taken, as far as a file says. It decides whether a JPEG beside a RAW is of the
/// same shot: names cannot, because cameras' counters wrap.
public struct CaptureStamp: Hashable, Sendable {
    /// DateTimeOriginal, `YYYY:MM:DD HH:MM:SS` on the camera's clock; nil if none was recorded.
    public let captured: String?
    /// SubSecTimeOriginal: the digits behind the decimal point.
    public let fraction: String?
    /// The camera.
    public let model: String?

    /// - Parameters:
    ///   - fields: of a RAW or of a JPEG.
    ///   - captured: used where the fields have no capture date.
    ///   - model: used where the fields name no camera.
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
    /// - Parameter prefix: the file's first bytes; `JPEGMetadata.prefixByteCount` are always enough.
    public init(jpeg prefix: [UInt8]) { self.init(ExifField.read(fromJPEG: prefix)) }

    /// True if both have the same capture date, and neither the fractions of a second nor the models disagree.
    ///
    /// A file without a capture date is never the same shot: two unknown dates are not equal.
    public func isSameShot(as other: CaptureStamp) -> Bool {
        guard let captured, captured == other.captured else { return false }
        return Self.agree(fraction, other.fraction, Self.sameFraction) && Self.agree(model, other.model, Self.sameModel)
    }

    private static func agree(_ a: String?, _ b: String?, _ same: (String, String) -> Bool) -> Bool {
        guard let a, let b else { return true }
        return same(a, b)
    }

    /// Cameras write one to three digits, and not always as many in the RAW as in the JPEG: `43` and `430` are the
    /// same.
    private static func sameFraction(_ a: String, _ b: String) -> Bool {
        func digits(_ text: String) -> Substring {
            var text = text[...]
            while text.last == "0" { text.removeLast() }
            return text
        }
        return digits(a) == digits(b)
    }

    /// In some containers the model begins with the maker's name, in others not.
    private static func sameModel(_ a: String, _ b: String) -> Bool {
        let (a, b) = (a.lowercased(), b.lowercased())
        return a.hasSuffix(b) || b.hasSuffix(a)
    }
}
