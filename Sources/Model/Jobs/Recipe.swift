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

/// A kind of detail that a RAW tells of the people and places around it, and that a photo need not hand on. The raw value
/// is what people write.
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
    /// The JPEG has a gain map, by which displays that are brighter than its white show its highlights as bright as they were.
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
        if !(0...1).contains(lookStrength) { return "the look's strength must be between 0 and 1" }
        if !(-10...10).contains(exposureStops) { return "the exposure must be between -10 and 10 stops" }
        if let balance = whiteBalance {
            if !(1500...50_000).contains(balance.kelvin) { return "the temperature must be 1500 to 50000 kelvin" }
            if !(-150...150).contains(balance.tint) { return "the tint must be between -150 and 150" }
        }
        if let edge = longEdgePixels, !(16...65_500).contains(edge) {
            return "the long edge must be 16 to 65500 pixels"
        }
        if !(0...1).contains(noiseReduction ?? 0) { return "the noise reduction must be between 0 and 1, or auto" }
        if !(0...1).contains(sharpening) { return "the sharpening must be between 0 and 1" }
        if !(1...100).contains(quality) { return "the quality must be 1 to 100" }
        if format != .jpeg, subsampling != .auto || isProgressive || hasGainMap {
            return "subsampling, progressive and hdr are JPEG's, and \(format.rawValue) has none of them"
        }
        if !format.hasQuality, quality != Self.usualQuality {
            return "a quality is for JPEG, AVIF and JPEG XL, and \(format.rawValue) loses nothing"
        }
        return nil
    }

    /// The canonical encoding: one `key=value` a line in this order, numbers in Swift's shortest form. It is also the
    /// adjustment data that every rendition carries.
    ///
    /// Settings that were added later have a line only where they differ from the usual ones, so that older recipes keep
    /// their identity. Adding 0 turns negative zero, which equals zero, into zero.
    public var canonicalText: String {
        """
        look=\(look)
        look-sha256=\(look.digest)
        look-strength=\(lookStrength + 0)
        exposure=\(exposureStops + 0)
        white-balance=\(whiteBalance.map { "\($0.kelvin),\($0.tint + 0)" } ?? "as-shot")
        long-edge=\(longEdgePixels.map(String.init) ?? "full")
        quality=\(quality)
        colour-space=\(colourSpace.rawValue)
        format=\(format.rawValue)
        \(laterSettings)
        """
    }

    private var laterSettings: String {
        var lines: [String] = []
        if let noiseReduction {
            lines.append("noise-reduction=\(noiseReduction == 0 ? "off" : "\(noiseReduction)")")
        }
        if !stripped.isEmpty { lines.append("strip=\(strippedText)") }
        if subsampling != .auto { lines.append("subsampling=\(subsampling.rawValue)") }
        if isProgressive { lines.append("progressive=on") }
        if hasGainMap { lines.append("hdr=on") }
        if sharpening != Self.usualSharpening { lines.append("sharpening=\(sharpening + 0)") }
        if keepsLens { lines.append("lens=off") }
        if let lensTable { lines.append("lens-table=\(lensTable)") }
        if let cameraProfiles { lines.append("camera-profiles=\(cameraProfiles)") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// `location,paths`: the names in their own order, without blanks.
    private var strippedText: String {
        PrivateDetail.allCases.filter(stripped.contains).map(\.rawValue).joined(separator: ",")
    }

    /// Parses the canonical encoding; nil for text that is not exactly one.
    public init?(canonicalText: String) {
        var fields: [Substring: Substring] = [:]
        for line in canonicalText.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { return nil }
            fields[line[..<equals]] = line[line.index(after: equals)...]
        }
        let look = (fields["look"] ?? "").split(separator: "@")
        let balance = (fields["white-balance"] ?? "").split(separator: ",").compactMap { Double($0) }
        guard look.count == 2, let version = UInt32(look[1]),
            let digest = fields["look-sha256"].flatMap({ SHA256Value(hex: $0) }),
            let reference = LookReference(name: String(look[0]), version: version, digest: digest),
            let strength = fields["look-strength"].flatMap({ Double($0) }),
            let exposure = fields["exposure"].flatMap({ Double($0) }),
            let quality = fields["quality"].flatMap({ UInt32($0) }),
            let space = fields["colour-space"].flatMap({ ColourSpace(rawValue: String($0)) }),
            let format = fields["format"].flatMap({ PhotoFormat(rawValue: String($0)) }),
            let subsampling = JPEGSubsampling(rawValue: String(fields["subsampling"] ?? "auto"))
        else { return nil }
        self.init(
            look: reference, lookStrength: strength, exposureStops: exposure,
            whiteBalance: balance.count == 2 ? WhiteBalance(kelvin: balance[0], tint: balance[1]) : nil,
            longEdgePixels: fields["long-edge"].flatMap { UInt32($0) }, format: format, quality: quality,
            subsampling: subsampling, isProgressive: fields["progressive"] == "on",
            hasGainMap: fields["hdr"] == "on", colourSpace: space,
            noiseReduction: fields["noise-reduction"].flatMap { $0 == "off" ? 0 : Double($0) },
            sharpening: fields["sharpening"].flatMap { Double($0) } ?? Self.usualSharpening,
            keepsLens: fields["lens"] == "off", lensTable: fields["lens-table"].flatMap { SHA256Value(hex: $0) },
            stripped: Set(
                (fields["strip"] ?? "").split(separator: ",").compactMap { PrivateDetail(rawValue: "\($0)") }),
            cameraProfiles: fields["camera-profiles"].flatMap { SHA256Value(hex: $0) })
        guard self.canonicalText == canonicalText else { return nil }
    }

    /// The settings of the file rather than of the picture, where they differ from the usual full size, quality 92, coding,
    /// sRGB, JPEG and all of the RAW's details: `2400px.q80.stripped`; empty for the usual ones.
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

    /// What a library keeps one photo of for each asset: the look, and size, quality, coding and colour space where they are
    /// not the usual ones, `mono.2400px`. A print and a picture for the web are two variants and stand side by side; any
    /// other setting is an edit, whose photo takes the place of the one before.
    public var variant: String { outputLabel.isEmpty ? look.name : "\(look.name).\(outputLabel)" }

    /// SHA-256 of the canonical encoding.
    public var id: SHA256Value { SHA256Value(of: Array(canonicalText.utf8)) }
}
