import Pixels
import Testing

@testable import Looks

@Suite("Effects by Core Image's names")
struct CoreImageTests {
    /// A ramp of greys and colours.
    private static let colours: [(Float, Float, Float)] = {
        let steps: [Float] = [0, 0.15, 0.35, 0.5, 0.65, 0.85, 1]
        return steps.map { ($0, $0, $0) } + steps.flatMap { v in [(v, v * 0.5, v * 0.3), (v * 0.3, v * 0.6, v)] }
    }()

    private func stage(_ text: String) throws -> any RowStage {
        let bytes = try LookChain(text).definition { (_: String) throws(LookError) in [] }
        return try Look(file: bytes, fileName: "x").stage()
    }

    private func results(_ text: String) throws -> [[Float]] {
        let stage = try stage(text)
        return Self.colours.map { CubeTests.apply(stage, $0) }
    }

    private func luma(_ colour: [Float]) -> Float { 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] }

    private func chroma(_ colour: [Float]) -> Float { (colour.max() ?? 0) - (colour.min() ?? 0) }

    /// The difference of luma between light and dark middle tones.
    private func contrast(_ text: String) throws -> Float {
        let stage = try stage(text)
        return luma(CubeTests.apply(stage, (0.65, 0.65, 0.65))) - luma(CubeTests.apply(stage, (0.35, 0.35, 0.35)))
    }

    private func meanChroma(_ text: String) throws -> Float { try results(text).map(chroma).reduce(0, +) }

    /// Red minus blue of greys.
    private func warmth(_ text: String) throws -> Float {
        try results(text).prefix(7).map { $0[0] - $0[2] }.reduce(0, +)
    }

    @Test("Mono has less contrast than Tonal, Tonal less than Noir, and none of them has colour")
    func monochromes() throws {
        let (mono, tonal) = (try contrast("CIPhotoEffectMono"), try contrast("CIPhotoEffectTonal"))
        let noir = try contrast("CIPhotoEffectNoir")
        #expect(mono < tonal - 0.02 && tonal < noir - 0.05, "\(mono) \(tonal) \(noir)")
        #expect(abs(tonal - 0.3) < 0.03)
        for name in ["Mono", "Tonal", "Noir"] { #expect(try meanChroma("CIPhotoEffect\(name)") == 0) }
    }

    @Test("Chrome is more colourful than the picture, Fade and Instant less; Process is cooler, Transfer warmer")
    func colourFilms() throws {
        let plain = Self.colours.map { chroma([$0.0, $0.1, $0.2]) }.reduce(0, +)
        #expect(try meanChroma("CIPhotoEffectChrome") > 1.15 * plain)
        #expect(try meanChroma("CIPhotoEffectFade") < 0.8 * plain)
        let process = try warmth("CIPhotoEffectProcess")
        let (transfer, instant) = (try warmth("CIPhotoEffectTransfer"), try warmth("CIPhotoEffectInstant"))
        #expect(process < -0.1 && transfer > 0.1, "\(process) \(transfer) \(instant)")
    }

    @Test(
        "An effect with neutral parameters changes nothing",
        arguments: [
            "CISepiaTone(intensity=0)", "CIColorControls", "CIExposureAdjust", "CIColorMatrix",
            "CIColorMonochrome(intensity=0)", "CIColorInvert+CIColorInvert", "mono(strength=0)",
        ])
    func identities(text: String) throws {
        for (before, after) in zip(Self.colours, try results(text)) {
            for (a, b) in zip([before.0, before.1, before.2], after) { #expect(abs(a - b) < 1e-5) }
        }
    }

    @Test("A stop of exposure doubles the display's light, and a matrix swaps channels")
    func light() throws {
        let brighter = CubeTests.apply(try stage("CIExposureAdjust(EV=1)"), (0.5, 0.5, 0.5))
        // sRGB 0.5 is light 0.214; twice that is 0.6858.
        #expect(abs(brighter[0] - 0.6858) < 1e-3)
        let swapped = CubeTests.apply(try stage("CIColorMatrix(R=0:0:1,B=1:0:0)"), (0.2, 0.4, 0.8))
        #expect(zip(swapped, [0.8, 0.4, 0.2]).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test("Colour controls follow their names: no saturation is grey, contrast pivots around the middle")
    func controls() throws {
        #expect(try meanChroma("CIColorControls(saturation=0)") < 1e-5)
        let contrast = CubeTests.apply(try stage("CIColorControls(contrast=2)"), (0.4, 0.5, 0.6))
        #expect(zip(contrast, [0.3, 0.5, 0.7]).allSatisfy { abs($0 - $1) < 1e-6 })
    }
}
