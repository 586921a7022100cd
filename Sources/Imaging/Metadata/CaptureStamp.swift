/// When and by which camera a photo was taken, as far as a file says: enough to tell whether a JPEG beside a RAW is
/// of the same shot. Names cannot tell, because cameras' counters wrap.
public struct CaptureStamp: Hashable, Sendable {
    /// DateTimeOriginal, `YYYY:MM:DD HH:MM:SS` on the camera's clock; nil where none was recorded.
    public let captured: String?
    /// SubSecTimeOriginal: digits behind the decimal point.
    public let fraction: String?
    public let model: String?

    /// - Parameter tags: of a RAW or of a JPEG; the capture date of a RAW without EXIF can be given apart.
    public init(_ tags: [ExifTag], captured: String? = nil, model: String? = nil) {
        let kept = KeptTags(tags)
        self.captured = kept[.photo, 0x9003]?.text ?? captured.flatMap { ExifText.isDate($0) ? $0 : nil }
        fraction = kept[.photo, 0x9291]?.text
        self.model = kept[.image, 0x0110]?.text ?? model.flatMap(ExifText.trimmed)
    }

    public init(_ source: SourceMetadata) {
        self.init(source.exif, captured: source.captured, model: source.model)
    }

    /// - Parameter prefix: a JPEG's first bytes; `JPEGWalker.prefixByteCount` are always enough.
    public init(jpeg prefix: [UInt8]) { self.init(ExifTag.read(fromJPEG: prefix)) }

    /// True where both have the same capture date, and neither the fractions of a second nor the models disagree.
    ///
    /// A file without a capture date is never the same shot: two unknowns are not equal.
    public func isSameShot(as other: CaptureStamp) -> Bool {
        guard let captured, captured == other.captured else { return false }
        return Self.agree(fraction, other.fraction, Self.sameFraction) && Self.agree(model, other.model, Self.sameModel)
    }

    private static func agree(_ a: String?, _ b: String?, _ same: (String, String) -> Bool) -> Bool {
        guard let a, let b else { return true }
        return same(a, b)
    }

    /// Cameras write one to three digits, the RAW's and the JPEG's not always as many: `43` and `430` are the same.
    private static func sameFraction(_ a: String, _ b: String) -> Bool {
        func digits(_ text: String) -> Substring {
            var text = text[...]
            while text.last == "0" { text.removeLast() }
            return text
        }
        return digits(a) == digits(b)
    }

    /// Containers differ in whether the model begins with the maker's name.
    private static func sameModel(_ a: String, _ b: String) -> Bool {
        let (a, b) = (a.lowercased(), b.lowercased())
        return a.hasSuffix(b) || b.hasSuffix(a)
    }
}
