/// The facts of a photo other than its pixels. `PhotoFact.all` defines how each is stored, shown and found.
public struct PhotoFacts: Hashable, Sendable {
    /// The camera's maker.
    public var make = ""
    /// The camera's model.
    public var model = ""
    /// The time of capture in EXIF's format, `2024:05:01 10:00:00`; nil if the camera recorded none.
    public var captured: String?
    /// Why the colours cannot be trusted; nil for a good photo.
    public var degraded: String?
    /// The lens corrections, or why there are none; nil if none were requested.
    public var lens: String?
    /// The user's rating: −1 (rejected) to 5 stars, 0 for none; nil if unknown.
    public var rating: Int?
    /// The user's keywords; nil if unknown.
    public var keywords: Keywords?
    /// The lens's name as the camera recorded it; nil if unknown.
    public var lensName: String?
    /// The exposure time in seconds; nil if unknown.
    public var exposureSeconds: Double?
    /// The f-number; nil if unknown.
    public var aperture: Double?
    /// The ISO speed; nil if unknown.
    public var iso: Int?
    /// The focal length in millimetres; nil if unknown.
    public var focalLength: Double?
    /// The 35 mm equivalent focal length in millimetres; nil if unknown.
    public var focalLength35: Int?

    /// Facts with the given values.
    public init(
        make: String = "", model: String = "", captured: String? = nil, degraded: String? = nil, lens: String? = nil,
        rating: Int? = nil, keywords: Keywords? = nil
    ) {
        self.make = make
        self.model = model
        self.captured = captured
        self.degraded = degraded
        self.lens = lens
        self.rating = rating
        self.keywords = keywords
    }

    /// The camera's display name, see `camera(make:model:)`.
    public var camera: String { Self.camera(make: make, model: model) }

    /// A camera's display name: maker and model, or only the model if it begins with the maker's first word, as for the
    /// NIKON D850 of NIKON CORPORATION. Empty if both are unknown.
    public static func camera(make: String, model: String) -> String {
        guard let word = make.split(separator: " ").first, !model.isEmpty else { return model.isEmpty ? make : model }
        return model.lowercased().hasPrefix(word.lowercased()) ? model : "\(make) \(model)"
    }
}
