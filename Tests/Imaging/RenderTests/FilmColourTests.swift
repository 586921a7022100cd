import ColourScience
import Develop
import Foundation
import PictureFormat
import Pixels
import Testing

@testable import Looks

@Suite("Colours of films")
struct FilmColourTests {
    /// sRGB of the ColorChecker's light and dark skin, and of six more from pale to dark.
    private static let patches: [SIMD3<Double>] = [
        SIMD3(194, 150, 130), SIMD3(115, 82, 68), SIMD3(224, 177, 150), SIMD3(241, 194, 165), SIMD3(198, 134, 97),
        SIMD3(141, 85, 54), SIMD3(90, 56, 37), SIMD3(172, 112, 84),
    ]
    private static let toRec2020 = RGBPrimaries.rec2020.fromXYZ * RGBPrimaries.rec709.toXYZ

    /// CIELAB (D65) of light in Rec. 2020.
    private func lab(_ light: SIMD3<Double>) -> SIMD3<Double> {
        func xyz(_ light: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(RGBPrimaries.rec2020.toXYZ * [light.x, light.y, light.z])
        }
        let t = xyz(light) / xyz(.one)
        func f(_ t: Double) -> Double {
            t > 216.0 / 24389 ? DeterministicMath.pow(t, 1.0 / 3) : (24389.0 / 27 * t + 16) / 116
        }
        return SIMD3(116 * f(t.y) - 16, 500 * (f(t.x) - f(t.y)), 200 * (f(t.y) - f(t.z)))
    }

    private func developed(_ colours: [SIMD3<Double>], _ stage: any RowStage) throws -> [SIMD3<Double>] {
        let row = try FilmPicture(colours: colours).developed(stage)
        return colours.indices.map { lab(SIMD3(row[4 * $0 + 1])) }
    }

    private static func skins(_ stops: Double) -> [SIMD3<Double>] {
        patches.map { skin in
            let light = (0..<3).map { TransferFunction.decode(skin[$0] / 255, .sRGB) }
            return SIMD3(toRec2020 * light) * DeterministicMath.exp2(stops)
        }
    }

    private func chroma(_ lab: SIMD3<Double>) -> Double { (lab.y * lab.y + lab.z * lab.z).squareRoot() }

    private func degrees(_ p: SIMD3<Double>, _ q: SIMD3<Double>) -> Double {
        let cosine = (p.y * q.y + p.z * q.z) / chroma(p) / chroma(q)
        return acos(min(cosine, 1)) * 180 / .pi
    }

    private static let skins: [SIMD3<Double>] = [-1.5, -0.75, 0, 0.5, 1].flatMap(skins)

    @Test(
        "Skin keeps its hue from one and a half stops below its exposure to a stop above",
        arguments: [("portrait", 3.0), ("daylight", 3.5), ("clear", 3.5), ("matinee", 4.5)])
    func skin(name: String, limit: Double) throws {
        let plain = try developed(Self.skins, IdentityStage())
        let film = try developed(Self.skins, try PlainFilm(name))
        // In paler or darker skin, an 8-bit step is several degrees.
        for (wanted, found) in zip(plain, film) where found.x > 12 && chroma(found) > 15 {
            #expect(degrees(wanted, found) < limit, "\(wanted) became \(found): \(degrees(wanted, found))")
        }
    }

    @Test("Skin of the portrait film is a little paler than without it, and in shadows no more colourful")
    func portraits() throws {
        let plain = try developed(Self.skins, IdentityStage())
        let ratios = zip(plain, try developed(Self.skins, try PlainFilm("portrait"))).map { plain, film in
            (lightness: film.x, chroma: chroma(film) / chroma(plain))
        }
        func mean(_ range: Range<Double>) -> Double {
            let found = ratios.filter { range.contains($0.lightness) }.map(\.chroma)
            return found.reduce(0, +) / Double(found.count)
        }
        #expect((0.85...1).contains(mean(10..<45)), "\(mean(10..<45))")
        #expect((0.85...1).contains(mean(45..<80)), "\(mean(45..<80))")
    }

    @Test(
        "White walls are white", arguments: ["portrait", "daylight", "matinee", "clear", "velvet", "press", "nocturne"])
    func whites(name: String) throws {
        let walls = [0.72, 0.9, 1.2, 2].map { SIMD3<Double>(repeating: $0) }
        for (wall, found) in zip(walls, try developed(walls, try PlainFilm(name))) {
            let cast = (found.y * found.y + found.z * found.z).squareRoot()
            #expect(cast < 2, "light \(wall.x): \(found)")
            #expect(found.x > (wall.x < 0.9 ? 80 : 83.5), "light \(wall.x): \(found)")
        }
    }
}
