import ColourScience
import PictureFormat
import Testing

@testable import Develop

@Suite("From toned light to the display")
struct DisplayMappingTests {
    /// Maps scene light in Rec. 2020 to light in a display space.
    private func display(_ scene: SIMD3<Double>, _ space: ColourSpace) -> SIMD3<Double> {
        let curve = ToneCurve(white: 3)
        let toned = SIMD3(curve(scene.x), curve(scene.y), curve(scene.z))
        let light = SIMD3(
            DisplayMapping.scene(toned.x), DisplayMapping.scene(toned.y), DisplayMapping.scene(toned.z))
        return DisplayMapping(space)(toned, scene: light)
    }

    private func xyz(_ colour: SIMD3<Double>, _ space: RGBPrimaries) -> [Double] {
        space.toXYZ * [colour.x, colour.y, colour.z]
    }

    /// Scene light in Rec. 2020 for an sRGB colour.
    private func scene(sRGB colour: SIMD3<Double>) -> SIMD3<Double> {
        let v = RGBPrimaries.rec2020.fromXYZ * (RGBPrimaries.rec709.toXYZ * [colour.x, colour.y, colour.z])
        return SIMD3(v[0], v[1], v[2])
    }

    @Test("Grey keeps its light and has no colour", arguments: ColourSpace.allCases)
    func grey(space: ColourSpace) {
        for step in 0...60 {
            let light = Double(step) / 20
            let toned = ToneCurve(white: 3)(light)
            let shown = display(SIMD3(repeating: light), space)
            for channel in 0..<3 { #expect(abs(shown[channel] - toned) < 1e-9) }
        }
    }

    @Test("A colour that all spaces hold is the same in all of them")
    func spaces() {
        var random = Sensors.Random(state: 4)
        for _ in 0..<2000 {
            let grey = Double.random(in: 0.01...0.8, using: &random)
            let colour = SIMD3(
                grey * .random(in: 0.6...1.4, using: &random), grey * .random(in: 0.8...1.2, using: &random),
                grey * .random(in: 0.6...1.4, using: &random))
            let scene = scene(sRGB: colour)
            let shown = ColourSpace.allCases.map { xyz(display(scene, $0), RGBPrimaries($0)) }
            for other in shown.dropFirst() {
                for (a, b) in zip(shown[0], other) { #expect(abs(a - b) < 1e-6) }
            }
        }
    }

    @Test("Order and relative place of the channels are the scene's, at every brightness")
    func hue() {
        // In Rec. 2020, before the display's limits, the middle channel's relative place does not depend on exposure.
        for stops in -3...1 {
            let gain = DeterministicMath.exp2(Double(stops))
            let scene = SIMD3(0.5, 0.3, 0.2) * gain
            let shown = display(scene, .displayP3)
            let back = RGBPrimaries.rec2020.fromXYZ * xyz(shown, .displayP3)
            let place = (back[1] - back[2]) / (back[0] - back[2])
            #expect(abs(place - 1.0 / 3) < 1e-6, "\(stops) stops: \(place)")
        }
    }

    @Test("No colour leaves the display's space, loses its luminance, or is clipped to another hue")
    func limits() {
        var random = Sensors.Random(state: 5)
        for space in ColourSpace.allCases {
            for _ in 0..<2000 {
                let scene = SIMD3<Double>.random(in: 0...3, using: &random)
                let curve = ToneCurve(white: 3)
                let toned = SIMD3(curve(scene.x), curve(scene.y), curve(scene.z))
                let shown = display(scene, space)
                #expect(all(shown .>= 0) && all(shown .<= 1))
                let luminance = xyz(shown, RGBPrimaries(space))[1]
                // Between the smallest and the largest channel, independent of the middle one.
                #expect(luminance >= toned.min() - 1e-6 && luminance <= toned.max() + 1e-6)
            }
        }
        // Blue beyond sRGB stays blue and gains no green.
        let blue = display(SIMD3(0.01, 0.03, 0.9), .sRGB)
        #expect(blue.z > 0.45 && blue.y < 0.05 && blue.x < 0.05, "\(blue)")
    }

    @Test("A more saturated colour stays more saturated: the knee keeps colours distinct")
    func knee() {
        var last = -1.0
        for step in 0...100 {
            let share = Double(step) / 100
            let shown = display(SIMD3(0.2 + 0.3 * share, 0.2 * (1 - share), 0.2 * (1 - share)), .sRGB)
            let chroma = (shown.max() - shown.min()) / shown.max()
            #expect(chroma > last)
            last = chroma
        }
    }
}
