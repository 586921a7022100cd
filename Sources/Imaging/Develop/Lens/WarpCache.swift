import PictureFormat
import Pixels

/// The last warp. The next picture often has the same lens and focal length.
final class WarpCache {
    private struct Key: Equatable {
        let crop: PixelRect
        let hasColours: Bool
        let warps: [LensWarp]
        let area: PixelRect?
    }

    private var last: (key: Key, plan: WarpPlan?)?

    /// Nil if the corrections move no pixel, or move pixels too far.
    func plan(_ facts: SensorFacts, _ corrections: SensorCorrections) -> WarpPlan? {
        guard !corrections.warps.isEmpty else { return nil }
        let key = Key(
            crop: facts.crop, hasColours: facts.layout != .monochrome, warps: corrections.warps, area: corrections.area)
        if let last, last.key == key { return last.plan }
        // Frees the old warp first: each takes up to a byte for two pixels.
        last = nil
        let plan = WarpPlan(facts, corrections)
        last = (key, plan)
        return plan
    }
}
