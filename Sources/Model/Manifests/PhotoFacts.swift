/// What is known of a photo beside its pixels. `PhotoFact.all` says how each fact is stored, shown and found.
public struct PhotoFacts: Hashable, Sendable {
    /// The camera's maker.
    public var make = ""
    /// The camera's model.
    public var model = ""
    /// Time of capture as EXIF writes it, `2024:05:01 10:00:00`; nil where the camera recorded none.
    public var captured: String?
    /// Why the colours cannot be trusted; nil for a good photo.
    public var degraded: String?
    /// What of the lens was corrected, or why nothing was; nil where it was not to be.
    public var lens: String?
    /// The stars that people gave it: −1 (rejected) to 5, 0 for none; nil where that is not known.
    public var rating: Int?
    /// The keywords that people gave it; nil where they are not known.
    public var keywords: Keywords?
    /// The lens's name, as the camera has it; nil where it is not known.
    public var lensName: String?
    /// For how long the sensor was exposed, in seconds; nil where it is not known.
    public var exposureSeconds: Double?
    /// The f-number; nil where it is not known.
    public var aperture: Double?
    /// The ISO speed; nil where it is not known.
    public var iso: Int?
    /// The focal length in millimetres; nil where it is not known.
    public var focalLength: Double?
    /// The focal length in millimetres that gives the same angle of view on 24 × 36 mm; nil where it is not known.
    public var focalLength35: Int?

    /// Nothing but what is given.
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

    /// The camera's name for people, as `camera(make:model:)` has it.
    public var camera: String { Self.camera(make: make, model: model) }

    /// A camera's name for people: maker and model, or the model alone where it begins with the maker's first word, as
    /// that of a NIKON D850 by NIKON CORPORATION does. Empty where neither is known.
    public static func camera(make: String, model: String) -> String {
        guard let word = make.split(separator: " ").first, !model.isEmpty else { return model.isEmpty ? make : model }
        return model.lowercased().hasPrefix(word.lowercased()) ? model : "\(make) \(model)"
    }
}
