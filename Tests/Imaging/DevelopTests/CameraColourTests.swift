import ColourScience
import Pixels
import Testing

@testable import Develop

@Suite("Colour of a camera with two matrices")
struct CameraColourTests {
    /// A camera measured under standard light A and under D65.
    static let matrices = [
        CameraMatrix(
            illuminant: 17,
            xyzToCamera: Matrix3([0.7171, -0.1986, -0.0648, -0.8085, 1.5555, 0.2718, -0.2170, 0.2512, 0.7457])),
        CameraMatrix(
            illuminant: 21,
            xyzToCamera: Matrix3([0.4716, 0.0603, -0.0830, -0.7798, 1.5474, 0.2480, -0.1496, 0.1937, 0.6651])),
    ]

    @Test(
        "At each end and beyond, the matrix is that of its light; in between, it follows the reciprocal temperature")
    func interpolation() throws {
        let profile = try #require(CameraProfile(Self.matrices))
        let (a, d65) = (
            Matrix3x3(Self.matrices[0].xyzToCamera.elements), Matrix3x3(Self.matrices[1].xyzToCamera.elements)
        )
        let (warm, cold) = (
            ColourTemperature.kelvin(exifLightSource: 17), ColourTemperature.kelvin(exifLightSource: 21)
        )
        #expect(warm > 2800 && warm < 2900 && cold > 6450 && cold < 6550)
        for temperature in [1800, warm] {
            #expect(Self.distance(profile.matrix(.init(temperature: temperature)), a) < 1e-9)
        }
        for temperature in [cold, 12_000] {
            #expect(Self.distance(profile.matrix(.init(temperature: temperature)), d65) < 1e-9)
        }
        // Halfway in reciprocal temperature, not in temperature.
        let middle = 2 / (1 / warm + 1 / cold)
        let mean = Matrix3x3(zip(a.elements, d65.elements).map { ($0 + $1) / 2 })
        #expect(Self.distance(profile.matrix(.init(temperature: middle)), mean) < 1e-9)
        #expect(
            CameraProfile(Self.matrices.reversed())?.matrix(.init(temperature: 4000))
                == profile.matrix(.init(temperature: 4000)))
    }

    @Test("A white of any light, balanced by the camera, becomes D65 white; the light is found from the balance alone")
    func white() throws {
        let profile = try #require(CameraProfile(Self.matrices))
        for kelvin in stride(from: 2500.0, through: 9500, by: 500) {
            let light = ColourTemperature.white(kelvin: kelvin, tint: 0)
            let neutral = try #require(profile.neutral(under: light))
            let white = try #require(profile.balancedToXYZ(neutral: neutral)) * [1, 1, 1]
            for (found, expected) in zip(white, Chromaticity.d65.xyz) { #expect(abs(found - expected) < 1e-3) }
            // A grey card under that light, as recorded by the camera.
            let camera = profile.matrix(.init(temperature: kelvin)) * light.xyz
            let balanced = zip(camera, neutral).map { $0 / $1 / camera[1] }
            #expect(balanced.allSatisfy { abs($0 - 1) < 2e-2 }, "\(kelvin): \(balanced)")
        }
    }

    @Test("Two matrices keep a surface's colour between lights better than one")
    func surfaces() throws {
        let profile = try #require(CameraProfile(Self.matrices))
        let alone = try #require(CameraProfile([Self.matrices[1]]))
        let light = ColourTemperature.white(kelvin: 2856, tint: 0)
        // XYZ of a red surface under A, and its expected value under D65 by adaptation.
        let surface = zip([0.5, 0.3, 0.1], light.xyz).map { $0 * $1 }
        let expected = ChromaticAdaptation.bradford(from: light, to: .d65) * surface
        let camera = profile.matrix(.init(temperature: 2856)) * surface
        func error(_ p: CameraProfile) throws -> Double {
            let neutral = try #require(profile.neutral(under: light))
            let found = try #require(p.balancedToXYZ(neutral: neutral)) * zip(camera, neutral).map { $0 / $1 }
            let scale = found[1] / expected[1]
            return zip(found, expected).map { ($0 / scale - $1).magnitude }.max() ?? 1
        }
        #expect(try error(profile) < 0.02)
        #expect(try error(profile) < error(alone))
    }

    private static func distance(_ a: Matrix3x3, _ b: Matrix3x3) -> Double {
        zip(a.elements, b.elements).map { ($0 - $1).magnitude }.max() ?? 1
    }
}
