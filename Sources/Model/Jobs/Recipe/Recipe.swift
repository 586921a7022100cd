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

    /// Nil for a name that is not valid, and for version 0.
    public init?(name: String, version: UInt32, digest: SHA256Value) {
        guard Self.isName(name), version > 0 else { return nil }
        self.name = name
        self.version = version
        self.digest = digest
    }

    /// True for 1 to 64 of `a-z 0-9 -`.
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }

    /// `NAME@VERSION`.
    public var description: String { "\(name)@\(version)" }
}

/// A kind of detail that a RAW tells of the people and places around it, and that a photo need not hand on. The raw
/// value is what people write.
public enum PrivateDetail: String, Hashable, Sendable, CaseIterable {
    /// Coordinates, and the names of places.
    case location
    /// The folders that the RAW and the camera's JPEG were in.
    case paths
    /// Serial numbers of camera and lens, and numbers that hold them.
    case serial
    /// The camera owner's name.
    case owner
}

/// Everything that decides the bytes of a rendition.
public struct Recipe: Hashable, Sendable {
    /// The film look or effect.
    public var look: LookReference
    /// 0…1: how much of the look is applied.
    public var lookStrength: Double
    /// −10…10 stops, added to the picture's own brightness.
    public var exposureStops: Double
    /// Colour temperature in kelvin and tint; nil is as shot.
    public var whiteBalance: WhiteBalance?
    /// Longest side of the photo in pixels; nil is full size.
    public var longEdgePixels: UInt32?
    /// The kind of file that the photo is.
    public var format: PhotoFormat
    /// Quality of a JPEG, or of an AVIF or JPEG XL that looks about as good, 1…100.
    public var quality: UInt32
    /// How many colour samples the JPEG keeps.
    public var subsampling: JPEGSubsampling
    /// The JPEG comes in passes from coarse to fine, and is smaller.
    public var isProgressive: Bool
    /// The JPEG has a gain map, by which displays that are brighter than its white show its highlights as bright as
    /// they were.
    public var hasGainMap: Bool
    /// The colour space of the photo.
    public var colourSpace: ColourSpace
    /// How much of the noise is removed, 0…1; nil goes by the ISO speed.
    public var noiseReduction: Double?
    /// How much fine detail is sharpened, 0…1.
    public var sharpening: Double
    /// Faults of the lens stay, although the file says how to correct them.
    public var keepsLens: Bool
    /// SHA-256 of the lens table by which faults are corrected that the file does not describe; nil for none.
    public var lensTable: SHA256Value?
    /// What the photo does not tell, although its RAW does.
    public var stripped: Set<PrivateDetail>
    /// SHA-256 of the packed camera profiles that colours come from; nil for what the file says itself.
    public var cameraProfiles: SHA256Value?
    /// How bright the photo is before `exposureStops` are added.
    public var brightness = Brightness.camera

    /// How bright a photo is, as a person asks for it. The raw value is what people write.
    public enum Brightness: String, Hashable, Sendable, CaseIterable {
        /// As the camera's preview of the shot, or metered where there is none.
        case camera
        /// As exposed, or brighter by a stop and a half at most where the highlights allow it.
        case metered
        /// As exposed: photos of one exposure are equally bright.
        case exposed
    }

    /// A light that counts as white.
    public struct WhiteBalance: Hashable, Sendable {
        /// 1,500…50,000.
        public var kelvin: Double
        /// Green (negative) to magenta (positive), −150…150.
        public var tint: Double

        /// - Parameters:
        /// - kelvin: 1,500…50,000.
        /// - tint: −150…150.
        public init(kelvin: Double, tint: Double = 0) {
            self.kelvin = kelvin
            self.tint = tint
        }

        /// Whether a recipe may have it.
        var isValid: Bool { (1500...50_000).contains(kelvin) && (-150...150).contains(tint) }
    }

    /// The parameters are the properties of the same names.
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

    /// What is wrong with it, as a part of a sentence for a person; nil for a recipe that can be rendered.
    public var problem: String? {
        for setting in RecipeSetting.all {
            if let problem = setting.problem(of: self) { return problem }
        }
        for setting in RecipeSetting.all where !setting.formats.contains(format) && !setting.isUsual(in: self) {
            return setting.formats == [.jpeg]
                ? "subsampling, progressive and hdr are JPEG's, and \(format.rawValue) has none of them"
                : "a quality is for JPEG, AVIF and JPEG XL, and \(format.rawValue) loses nothing"
        }
        return nil
    }

    /// The canonical encoding: one `key=value` a line in the order of `RecipeSetting.all`, numbers in Swift's shortest
    /// form. It is also the adjustment data that every rendition carries.
    ///
    /// Settings that were added later have a line only where they differ from the usual ones, so that older recipes
    /// keep their identity.
    public var canonicalText: String {
        (["look=\(look)", "look-sha256=\(look.digest)"] + RecipeSetting.all.compactMap { $0.line(of: self) })
            .map { $0 + "\n" }.joined()
    }

    /// Parses the canonical encoding; nil for text that is not exactly one.
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

    /// The settings of the file rather than of the picture, where they differ from the usual full size, quality 92,
    /// coding, sRGB, JPEG and all of the RAW's details: `2400px.q80.stripped`; empty for the usual ones.
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

    /// The sharpening of a photo for which none is asked.
    public static let usualSharpening = 0.5

    /// The quality of a photo for which none is asked.
    public static let usualQuality: UInt32 = 92

    /// What a library keeps one photo of for each asset: the look, and size, quality, coding and colour space where
    /// they are not the usual ones, `mono.2400px`. A print and a picture for the web are two variants and stand side by
    /// side; any other setting is an edit, whose photo takes the place of the one before.
    public var variant: String { outputLabel.isEmpty ? look.name : "\(look.name).\(outputLabel)" }

    /// SHA-256 of the canonical encoding.
    public var id: SHA256Value { SHA256Value(of: Array(canonicalText.utf8)) }
}
