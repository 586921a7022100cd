import PictureFormat
import Pixels

/// The warp of the last picture that had one. The next picture is often of the same lens at the same focal length.
final class WarpCache {
    /// What a warp follows from.
    private struct Key: Equatable {
        let crop: PixelRect
        let hasColours: Bool
        let warps: [LensWarp]
        let area: PixelRect?
    }

    private var last: (key: Key, plan: WarpPlan?)?

    /// Nil if the corrections move no pixel, or lead too far.
    func plan(_ facts: SensorFacts, _ corrections: SensorCorrections) -> WarpPlan? {
        guard !corrections.warps.isEmpty else { return nil }
        let key = Key(
            crop: facts.crop, hasColours: facts.layout != .monochrome, warps: corrections.warps, area: corrections.area)
        if let last, last.key == key { return last.plan }
        // Before the next one is made: each takes up to a byte for two pixels.
        last = nil
        let plan = WarpPlan(facts, corrections)
        last = (key, plan)
        return plan
    }
}
