import DevelopKernels
import PictureFormat
import Pixels

/// Validates facts and settings before they are used.
///
/// `DevelopKernels` runs without checks. Its initializers refuse inconsistent sizes; validated ones are always
/// accepted.
enum SensorValidation {
    static func check(_ image: borrowing SensorImage) throws(DevelopError) {
        let facts = image.facts
        try checkGeometry(facts, plane: image.plane.size)
        try checkLevels(facts)
        if case .bayer(let pattern) = facts.layout {
            guard BayerPhase(pattern) != nil else {
                throw DevelopError(.inconsistentFacts, "the colour filter pattern is not a Bayer pattern")
            }
            guard facts.crop.size.width >= 2, facts.crop.size.height >= 2 else {
                throw DevelopError(.inconsistentFacts, "the picture is smaller than the colour filter pattern")
            }
        }
        if case .xTrans(let pattern) = facts.layout {
            guard XTransPhase(pattern) != nil else {
                throw DevelopError(.unsupportedLayout, "the colour filter pattern is not an X-Trans pattern")
            }
            guard facts.crop.size.width >= 6, facts.crop.size.height >= 6 else {
                throw DevelopError(.inconsistentFacts, "the picture is smaller than the colour filter pattern")
            }
        }
    }

    private static func checkGeometry(_ facts: SensorFacts, plane: PixelSize) throws(DevelopError) {
        let crop = facts.crop
        let samples = facts.layout.samplesPerPixel
        let width = plane.width / samples
        let fits =
            crop.x >= 0 && crop.y >= 0 && crop.size.width > 0 && crop.size.height > 0
            && crop.size.width <= width && crop.size.height <= plane.height
            && crop.x <= width - crop.size.width && crop.y <= plane.height - crop.size.height
        guard fits else {
            throw DevelopError(.inconsistentFacts, "the picture area lies outside the sensor's data")
        }
        guard crop.size.width <= maxEdge, crop.size.height <= maxEdge else {
            throw DevelopError(.inconsistentFacts, "the picture is more than \(maxEdge) pixels wide or high")
        }
        guard facts.pixelAspect.isFinite, (0.2...5).contains(facts.pixelAspect) else {
            throw DevelopError(.inconsistentFacts, "the pixel aspect \(facts.pixelAspect) is out of range")
        }
    }

    private static func checkLevels(_ facts: SensorFacts) throws(DevelopError) {
        guard facts.white.count == 3, facts.white.allSatisfy({ $0.isFinite && $0 <= 1e6 }) else {
            throw DevelopError(.inconsistentFacts, "the white levels are not three finite numbers")
        }
        let darkest = facts.black.values.max() ?? 0
        guard (facts.black.values.min() ?? 0) > -1e6, facts.white.allSatisfy({ $0 > darkest }) else {
            throw DevelopError(.inconsistentFacts, "a white level is not above the black level")
        }
        if let balance = facts.whiteBalance {
            guard balance.count == 3, balance.allSatisfy({ $0.isFinite && $0 > 1e-3 && $0 < 1e3 }) else {
                throw DevelopError(.inconsistentFacts, "the white balance factors are out of range")
            }
        }
        guard facts.baselineExposure.isFinite, facts.baselineExposure.magnitude <= 10 else {
            throw DevelopError(.inconsistentFacts, "the baseline exposure is out of range")
        }
    }

    static func check(_ settings: DevelopSettings, preview: Int?) throws(DevelopError) {
        guard settings.exposure.isFinite, settings.exposure.magnitude <= 10 else {
            throw DevelopError(.settings, "the exposure must be between -10 and 10 stops")
        }
        guard (0...1).contains(settings.sharpening) else {
            throw DevelopError(.settings, "the sharpening must be between 0 and 1")
        }
        guard (0...1).contains(settings.noiseReduction ?? 0) else {
            throw DevelopError(.settings, "the noise reduction must be between 0 and 1")
        }
        if case .temperature(let kelvin, let tint) = settings.whiteBalance {
            guard kelvin.isFinite, tint.isFinite, (1500...50_000).contains(kelvin), tint.magnitude <= 150 else {
                throw DevelopError(
                    .settings, "the white balance must have 1500 to 50000 kelvin and a tint from -150 to 150")
            }
        }
        for edge in [settings.longEdge, preview] {
            if let edge, edge < 1 || edge > maxEdge {
                throw DevelopError(.settings, "a long edge must be between 1 and \(maxEdge) pixels")
            }
        }
    }

    /// JPEG's limit, in pixels.
    static let maxEdge = 65_500
}
