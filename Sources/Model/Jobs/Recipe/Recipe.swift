public import Digest
public import PictureFormat

/// A released look, pinned by the hash of its definition.
public struct LookReference: Hashable, Sendable, CustomStringConvertible {
    /// `a-z 0-9 -`, at most 64 characters.
    public let name: String
    /// From 1.
    public let version: UInt32
    /// SHA-256 of the look's definition.
    public let digest: SHA256Value

    /// Nil for an invalid name and for version 0.
    public init?(name: String, version: UInt32, digest: SHA256Value) {
        guard Self.isName(name), version > 0 else { return nil }
        self.name = name
        self.version = version
        self.digest = digest
    }

    /// Whether the text is 1 to 64 of `a-z 0-9 -`.
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }

    /// `NAME@VERSION`.
    public var description: String { "\(name)@\(version)" }
}

/// A kind of private metadata that a photo can leave out. Users write the raw value.
public enum PrivateDetail: String, Hashable, Sendable, CaseIterable {
    /// Coordinates and place names.
    case location
    /// The folders of the RAW and of the camera's JPEG.
    case paths
    /// Serial numbers of camera and lens, and numbers that contain them.
    case serial
    case owner
}

/// Everything that decides the bytes of a rendition.
public struct Recipe: Hashable, Sendable {
    /// The film look or effect.
    public var look: LookReference
    /// How much of the look is applied, 0…1.
    public var lookStrength: Double
    /// −10…10 stops, added to the photo's brightness.
    public var exposureStops: Double
    /// The white point; nil is as shot.
    public var whiteBalance: WhiteBalance?
    /// The photo's longest side in pixels; nil is full size.
    public var longEdgePixels: UInt32?
    /// The photo's file format.
    public var format: PhotoFormat
    /// The quality of a JPEG, or of an AVIF or JPEG XL that looks about as good, 1…100.
    public var quality: UInt32
    /// The JPEG's chroma subsampling.
    public var subsampling: JPEGSubsampling
    /// Whether the JPEG is progressive, which is smaller.
    public var isProgressive: Bool
    /// Whether the JPEG has a gain map, with which HDR displays show its highlights at their true brightness.
    public var hasGainMap: Bool
    /// The photo's colour space.
    public var colourSpace: ColourSpace
    /// The strength of noise reduction, 0…1; nil depends on the ISO speed.
    public var noiseReduction: Double?
    /// The strength of sharpening, 0…1.
    public var sharpening: Double
    /// Whether to keep lens faults that the file says how to correct.
    public var keepsLens: Bool
    /// SHA-256 of the lens table, which corrects faults that the file does not describe; nil for none.
    public var lensTable: SHA256Value?
    /// Metadata of the RAW to leave out of the photo.
    public var stripped: Set<PrivateDetail>
    /// SHA-256 of the packed camera profiles for the colours; nil uses the file's own data.
    public var cameraProfiles: SHA256Value?
    /// The photo's brightness before `exposureStops` are added.
    public var brightness = Brightness.camera

    /// A rule for a photo's brightness. Users write the raw value.
    public enum Brightness: String, Hashable, Sendable, CaseIterable {
        /// As the camera's preview of the shot; metered if there is none.
        case camera
        /// As exposed, or brighter by at most a stop and a half if the highlights allow it.
        case metered
        /// As exposed: photos of equal exposure are equally bright.
        case exposed
    }

    /// The light that becomes white.
    public struct WhiteBalance: Hashable, Sendable {
        /// Colour temperature in kelvin, 1,500…50,000.
        public var kelvin: Double
        /// Green (negative) to magenta (positive), −150…150.
        public var tint: Double

        /// Memberwise initializer.
        public init(kelvin: Double, tint: Double = 0) {
            self.kelvin = kelvin
            self.tint = tint
        }

        var isValid: Bool { (1500...50_000).contains(kelvin) && (-150...150).contains(tint) }
    }

    /// Memberwise initializer.
    public init(
        look: LookReference, lookStrength: Double = 1, exposureStops: Double = 0, whiteBalance: WhiteBalance? = nil,
        longEdgePixels: UInt32? = nil, format: PhotoFormat = .jpeg, quality: UInt32 = 92,
        subsampling: JPEGSubsampling = .auto,
        isProgressive: Bool = false, hasGainMap: Bool = false, colourSpace: ColourSpace = .sRGB,
        noiseReduction: Double? = nil,
        sharpening: Double = Self.usualSharpening, keepsLens: Bool = false,
        lensTable: SHA256Value? = nil, stripped: Set<PrivateDetail> = [], cameraProfiles: SHA256Value? = nil
    ) {
        self.look = look
        self.lookStrength = lookStrength
        self.exposureStops = exposureStops
        self.whiteBalance = whiteBalance
        self.longEdgePixels = longEdgePixels
        self.format = format
        self.quality = quality
        self.subsampling = subsampling
        self.isProgressive = isProgressive
        self.hasGainMap = hasGainMap
        self.colourSpace = colourSpace
        self.noiseReduction = noiseReduction
        self.sharpening = sharpening
        self.keepsLens = keepsLens
        self.lensTable = lensTable
        self.stripped = stripped
        self.cameraProfiles = cameraProfiles
    }

    /// What is wrong with the recipe, as a part of a sentence; nil for a valid one.
    public var problem: String? {
        for setting in RecipeSetting.all {
            if let problem = setting.problem(of: self) { return problem }
        }
        for setting in RecipeSetting.all where !setting.formats.contains(format) && !setting.isUsual(in: self) {
            return setting.formats == [.jpeg]
                ? "subsampling, progressive and hdr apply to JPEGs only, not to \(format.rawValue)"
                : "quality applies to JPEG, AVIF and JPEG XL only; \(format.rawValue) is lossless"
        }
        return nil
    }

    /// The canonical encoding: one `key=value` a line in the order of `RecipeSetting.all`, numbers in Swift's shortest
    /// form. It is also the adjustment data in every rendition.
    ///
    /// Newer settings have a line only if they differ from the default, so that older recipes keep their identity.
    public var canonicalText: String {
        (["look=\(look)", "look-sha256=\(look.digest)"] + RecipeSetting.all.compactMap { $0.line(of: self) })
            .map { $0 + "\n" }.joined()
    }

    /// Parses the canonical encoding; nil for any other text.
    public init?(canonicalText: String) {
        var fields: [Substring: Substring] = [:]
        for line in canonicalText.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { return nil }
            fields[line[..<equals]] = line[line.index(after: equals)...]
        }
        let look = (fields["look"] ?? "").split(separator: "@")
        guard look.count == 2, let version = UInt32(look[1]),
            let digest = fields["look-sha256"].flatMap({ SHA256Value(hex: $0) }),
            let reference = LookReference(name: String(look[0]), version: version, digest: digest)
        else { return nil }
        self.init(look: reference)
        for setting in RecipeSetting.all {
            guard setting.read(fields[Substring(setting.key)].map(String.init), into: &self) else { return nil }
        }
        guard self.canonicalText == canonicalText else { return nil }
    }

    /// The settings of the file as opposed to the picture, as far as they differ from the defaults (full size, quality
    /// 92, coding, sRGB, JPEG, all metadata): `2400px.q80.stripped`; empty for the defaults.
    public var outputLabel: String {
        var parts: [String] = []
        if let longEdgePixels { parts.append("\(longEdgePixels)px") }
        if quality != Self.usualQuality { parts.append("q\(quality)") }
        if subsampling != .auto { parts.append(subsampling.rawValue) }
        if isProgressive { parts.append("progressive") }
        if hasGainMap { parts.append("hdr") }
        if colourSpace != .sRGB { parts.append(colourSpace.rawValue) }
        if format != .jpeg { parts.append(format.rawValue) }
        if !stripped.isEmpty { parts.append("stripped") }
        return parts.joined(separator: ".")
    }

    /// The default sharpening.
    public static let usualSharpening = 0.5

    /// The default quality.
    public static let usualQuality: UInt32 = 92

    /// The name of the recipe's variant: the look and `outputLabel`, `mono.2400px`. A library keeps one photo of each
    /// variant of an asset: a print and a small picture coexist, while a recipe that differs otherwise is an edit whose
    /// photo replaces the previous one.
    public var variant: String { outputLabel.isEmpty ? look.name : "\(look.name).\(outputLabel)" }

    /// SHA-256 of the canonical encoding.
    public var id: SHA256Value { SHA256Value(of: Array(canonicalText.utf8)) }
}
