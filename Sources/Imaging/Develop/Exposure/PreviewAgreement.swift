import ColourScience
internal import PictureFormat
import Pixels

/// Agreement of the neutral rendering with the camera's preview, from a few hundred cells.
public struct PreviewAgreement: Hashable, Sendable {
    /// Stops that matched the rendering to the preview's brightness.
    public let stops: Float
    /// Remaining difference in stops, because the correction is limited.
    public let stopsLeft: Float
    /// Correlation of the cells' luma, -1…1; nil if a picture is flat.
    public let structure: Float?
    /// Mean distance of the cells' colours in the a*b* plane of CIELAB (CIE 1976) at equal brightness; nil if the
    /// preview has no colours.
    public let colour: Float?
    /// The lower correlation of the cells' colours along a* and b*, -1…1; nil if the preview has no colours.
    public let hue: Float?

    /// Whether the difference exceeds that of any two renderings of one picture, even vivid and muted, or warm and
    /// cool. Causes are a wrong black level, a wrong mosaic or misread samples.
    public var isImplausible: Bool { isOtherPicture || isOtherColour || isOtherBrightness }

    private var isOtherPicture: Bool { (structure ?? 1) < Self.minStructure }
    private var isOtherColour: Bool {
        guard let colour, let hue else { return false }
        return colour > Self.maxColour || (colour > Self.doubtfulColour && hue < Self.minHue)
    }
    private var isOtherBrightness: Bool { stopsLeft.magnitude > Self.maxStops }

    static let minStructure: Float = 0.4
    static let maxColour: Float = 25
    /// Above this distance, hues must correlate.
    static let doubtfulColour: Float = 8
    static let minHue: Float = 0.3
    static let maxStops: Float = 1.5

    /// Message about the implausible difference, with figures; nil for none.
    public var complaint: String? {
        if isOtherColour, let colour, let hue {
            return "its colours differ by \(Self.rounded(colour)) ΔE on average and correlate by "
                + "\(Self.rounded(hue)) (at most \(Self.rounded(Self.maxColour)) and at least "
                + "\(Self.rounded(Self.minHue)) are usual)"
        }
        if isOtherPicture, let structure {
            return "its light and dark parts correlate by \(Self.rounded(structure)) (at least "
                + "\(Self.rounded(Self.minStructure)) is usual)"
        }
        if isOtherBrightness {
            return "it is \(Self.rounded(stopsLeft.magnitude)) stops \(stopsLeft > 0 ? "darker" : "brighter")"
        }
        return nil
    }

    /// One decimal, without the C library.
    private static func rounded(_ value: Float) -> String {
        let tenths = Int((min(max(value, -1e4), 1e4) * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
    }
}

extension PreviewAgreement {
    /// The stops brought the rendering to the preview's brightness. The pairs are display-encoded sRGB of each cell in
    /// the rendering and in the preview.
    init(stops: Float, pairs: [(SIMD3<Float>, SIMD3<Float>)]) {
        self.stops = stops
        let ours = pairs.map { Self.luma($0.0) }
        let theirs = pairs.map { Self.luma($0.1) }
        structure = Self.correlation(ours, theirs, flat: Self.flat)
        stopsLeft = Self.stops(from: Self.mean(ours), to: Self.mean(theirs))
        // A camera can be set to black and white or a single hue. Then only light and dark count.
        let (own, other) = (pairs.map { Self.chroma($0.0) }, pairs.map { Self.chroma($0.1) })
        let hasColours = Self.narrowSpread(other) > Self.minSpread
        colour = hasColours ? Self.mean(zip(own, other).map { Self.length($0 - $1) }) : nil
        hue = hasColours ? Self.correlation(own, other) : nil
    }

    private static let minSpread: Float = 1.5
    /// Maximum standard deviation of luma of a flat picture.
    static let flat: Float = 0.03

    static func luma(_ c: SIMD3<Float>) -> Float { 0.299 * c.x + 0.587 * c.y + 0.114 * c.z }

    static func mean(_ values: [Float]) -> Float {
        values.isEmpty ? 0 : values.reduce(0, +) / Float(values.count)
    }

    static func spread(_ colours: [SIMD3<Float>]) -> Float {
        let lumas = colours.map(luma)
        let centre = mean(lumas)
        return mean(lumas.map { ($0 - centre) * ($0 - centre) }).squareRoot()
    }

    /// Root mean square of the distance from grey in the a*b* plane.
    static func meanChroma(_ colours: [SIMD3<Float>]) -> Float {
        mean(colours.map(chroma).map { $0.x * $0.x + $0.y * $0.y }).squareRoot()
    }

    /// Pearson's correlation; nil if the standard deviation of either is at most `flat`.
    private static func correlation(_ a: [Float], _ b: [Float], flat: Float) -> Float? {
        let (ma, mb) = (mean(a), mean(b))
        var (aa, bb, ab): (Float, Float, Float) = (0, 0, 0)
        for (x, y) in zip(a, b) {
            aa += (x - ma) * (x - ma)
            bb += (y - mb) * (y - mb)
            ab += (x - ma) * (y - mb)
        }
        let flatSum = Float(a.count) * flat * flat
        return aa > flatSum && bb > flatSum ? ab / (aa * bb).squareRoot() : nil
    }

    private static func length(_ v: SIMD2<Float>) -> Float { (v.x * v.x + v.y * v.y).squareRoot() }

    private static func centred(_ colours: [SIMD2<Float>]) -> [SIMD2<Float>] {
        let centre = colours.reduce(.zero, +) / Float(max(colours.count, 1))
        return colours.map { $0 - centre }
    }

    /// Standard deviation of colours in the direction of least variation: 0 for a single hue.
    private static func narrowSpread(_ colours: [SIMD2<Float>]) -> Float {
        var (aa, bb, ab): (Float, Float, Float) = (0, 0, 0)
        for c in centred(colours) {
            aa += c.x * c.x
            bb += c.y * c.y
            ab += c.x * c.y
        }
        let half = (aa - bb) / 2
        let narrowSum = (aa + bb) / 2 - (half * half + ab * ab).squareRoot()
        return (max(narrowSum, 0) / Float(max(colours.count, 1))).squareRoot()
    }

    /// The lower correlation along a* and b*, of the axes along which the preview has some spread.
    private static func correlation(_ a: [SIMD2<Float>], _ b: [SIMD2<Float>]) -> Float {
        let axes = (0..<2).compactMap { axis -> Float? in
            let theirs = b.map { $0[axis] }
            let centre = mean(theirs)
            let spread = mean(theirs.map { ($0 - centre) * ($0 - centre) }).squareRoot()
            return spread > 2 * minSpread ? correlation(a.map { $0[axis] }, theirs, flat: 0) ?? 0 : nil
        }
        return axes.min() ?? 1
    }

    private static func stops(from ours: Float, to theirs: Float) -> Float {
        func light(_ code: Float) -> Double { max(TransferFunction.decode(Double(code), .sRGB), 1e-4) }
        return Float(DeterministicMath.log2(light(theirs) / light(ours)))
    }

    /// a* and b* of a display-encoded sRGB colour, relative to D65.
    private static func chroma(_ colour: SIMD3<Float>) -> SIMD2<Float> {
        let light = (0..<3).map { TransferFunction.decode(Double(colour[$0]), .sRGB) }
        let xyz = RGBPrimaries.rec709.toXYZ * light
        let white = Chromaticity.d65.xyz
        let f = zip(xyz, white).map { value, white in
            let t = value / white
            return t > 216.0 / 24389 ? DeterministicMath.pow(t, 1.0 / 3) : (24389.0 / 27 * t + 16) / 116
        }
        return SIMD2(Float(500 * (f[0] - f[1])), Float(200 * (f[1] - f[2])))
    }
}
