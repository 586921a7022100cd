import ColourScience
import Develop
import PictureFormat
import Pixels
import Synchronization
import Testing

@testable import Looks

@Suite("Films")
struct FilmTests {
    private static let films = LookCatalogue.films.map(\.name)

    // MARK: - Curves

    @Test(
        "A step wedge shows the characteristic curves of film and print, within two per cent of the range",
        arguments: films)
    func wedge(name: String) throws {
        let film = try PlainFilm(name)
        let lights = (-14...8).map { 0.18 * DeterministicMath.exp2(Double($0) / 2) }.filter { $0 < 2.9 }
        // Four columns for each step.
        let wedge = FilmPicture(light: 0, width: 4 * lights.count, height: 8) { x, _ in lights[x / 4] }
        let found = try wedge.developed(film)
        for (step, light) in lights.enumerated() {
            let wanted = film.rendering.light(Array(repeating: .init(repeating: light), count: 3)).map { $0[0] }
            for channel in 0..<3 {
                // Relative to the visible range from black to white, in display-encoded steps.
                let a = TransferFunction.encode(wanted[channel], .sRGB)
                let b = TransferFunction.encode(found[4 * step + 1][channel], .sRGB)
                #expect(abs(a - b) < 0.02, "light \(light), channel \(channel): \(b), wanted \(a)")
            }
        }
    }

    @Test("Mid grey is printed as mid grey, white is near 245, and every curve rises", arguments: films)
    func greys(name: String) throws {
        let film = try PlainFilm(name).rendering
        func luminance(_ light: Double) -> Double {
            let colour = film.light(Array(repeating: .init(repeating: light), count: 3)).map { $0[0] }
            return 0.2627 * colour[0] + 0.678 * colour[1] + 0.0593 * colour[2]
        }
        func step(_ light: Double) -> Double { 255 * TransferFunction.encode(luminance(light), .sRGB) }
        #expect((112...132).contains(step(0.18)), "\(step(0.18))")
        #expect((228...255).contains(step(3)), "\(step(3))")
        #expect(step(0.001) < 40, "\(step(0.001))")
        var last = -1.0
        for stop in stride(from: -10.0, through: 4, by: 0.25) {
            let found = luminance(0.18 * DeterministicMath.exp2(stop))
            #expect(found >= last)
            last = found
        }
    }

    @Test("A negative's density has the toe, slope and shoulder of its parameters")
    func curve() {
        let curve = CharacteristicCurve(base: 0.2, gamma: 0.6, start: -1.2, toe: 0.2, end: 2, shoulder: 0.3)
        #expect(abs(curve.density(-6) - 0.2) < 1e-6)
        #expect(abs(curve.density(8) - (0.2 + 0.6 * 3.2)) < 1e-6)
        #expect(abs(curve.density(-1.2) - (0.2 + 0.6 * 0.2 * 0.6931)) < 1e-3)
        for exposure in stride(from: -2.0, through: 3, by: 0.25) {
            let measured = (curve.density(exposure + 1e-4) - curve.density(exposure - 1e-4)) / 2e-4
            #expect(abs(measured - curve.slope(exposure)) < 1e-5)
            var other = curve
            other.start += 0.1
            let found = CharacteristicCurve.exposures([(other, other.density(0.5)), (curve, curve.density(exposure))])
            #expect(abs(found[0] - 0.5) < 1e-6 && abs(found[1] - exposure) < 1e-6)
        }
        #expect(abs(curve.slope(0.4) - 0.6) < 0.01)
    }

    @Test("Pushing by a stop raises the contrast by 15 % and the grain by a fifth")
    func push() {
        let film = Film(
            negative: Array(
                repeating: .init(base: 0.2, gamma: 0.6, start: -1.15, toe: 0.2, end: 2, shoulder: 0.3), count: 3),
            print: Array(
                repeating: .init(base: 0.05, gamma: 2.4, start: 0, toe: 0.2, end: 1, shoulder: 0.2), count: 3),
            grain: .init(granularity: 10, size: 3))
        let pushed = film.pushed(by: 1)
        #expect(abs((pushed.negative?[0].gamma ?? 0) - 0.69) < 1e-9)
        #expect(abs((pushed.grain?.granularity ?? 0) - 12) < 1e-9)
        #expect(film.definition != pushed.definition && film.pushed(by: 0) == film)
    }

    @Test("Half the strength is half-way to the neutral rendering, in steps of the display")
    func strength() throws {
        let look = try LookCatalogue.builtIn.look("velvet")
        let picture = FilmPicture(light: 0.7)
        func steps(_ stage: any RowStage) throws -> [Double] {
            try picture.developed(stage)[20].map { 255 * TransferFunction.encode($0, .sRGB) }
        }
        let (none, half) = (try steps(IdentityStage()), try steps(look.stage(strength: 0.5)))
        let all = try steps(look.stage())
        for channel in 0..<3 { #expect(abs(half[channel] - (none[channel] + all[channel]) / 2) < 1.2) }
    }

    // MARK: - Grain

    /// Light that varies only by a film's grain, and the film.
    private static func grain(_ granularity: Double, size: Double, isMonochrome: Bool = true) -> FilmTexture {
        FilmTexture(
            longEdgeMicrometres: 36_000,
            grain: FilmGrain(
                granularity: granularity, sizeMicrometres: size,
                responses: Array(repeating: .init(start: 2, end: 2, middle: 1), count: 3), isMonochrome: isMonochrome),
            halation: nil)
    }

    @Test(
        "Through 48 µm, grain has the film's granularity, at any number of pixels",
        arguments: [3000, 6000])
    func granularity(width: Int) throws {
        let light = try FilmPicture(light: 0.18, width: width, height: 300).light(Self.grain(10, size: 3))
        let pitch = 36_000 / Double(width)
        let radius = 24 / pitch
        // Density, because light varies by twice as much: the response above.
        let density = light.values.map { DeterministicMath.log2($0 / 0.18) * 0.693147 / 2 }
        var means: [Double] = []
        for top in stride(from: 20, to: 260, by: 37) {
            for left in stride(from: 20, to: width - 60, by: 37) {
                var (sum, count) = (0.0, 0.0)
                for y in 0...Int(2 * radius) {
                    for x in 0...Int(2 * radius) {
                        let (dx, dy) = (Double(x) - radius, Double(y) - radius)
                        guard dx * dx + dy * dy <= radius * radius else { continue }
                        sum += density[(top + y) * width + left + x]
                        count += 1
                    }
                }
                means.append(sum / count)
            }
        }
        let mean = means.reduce(0, +) / Double(means.count)
        let deviation = (means.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(means.count)).squareRoot()
        #expect((9.0...11.0).contains(1000 * deviation), "\(1000 * deviation)")
    }

    @Test("Grain does not change a picture's brightness")
    func mean() throws {
        for (light, granularity) in [(0.02, 25.0), (0.18, 10), (0.18, 25), (1.2, 25)] {
            let found = try FilmPicture(light: light, width: 1500, height: 200).light(
                Self.grain(granularity, size: 3))
            let mean = found.values.reduce(0, +) / Double(found.values.count)
            #expect(abs(mean / light - 1) < 0.01, "\(light) became \(mean)")
        }
    }

    @Test("Coarse grain has less fine variation than fine grain, and neighbours are more similar")
    func spectrum() throws {
        func likeness(_ size: Double) throws -> Double {
            let light = try FilmPicture(light: 0.18, width: 6000, height: 64).light(Self.grain(10, size: size))
            var (product, square) = (0.0, 0.0)
            for index in 0..<light.values.count - 1 {
                let (a, b) = (light.values[index] / 0.18 - 1, light.values[index + 1] / 0.18 - 1)
                product += a * b
                square += a * a
            }
            return product / square
        }
        let (fine, middle, coarse) = (try likeness(1), try likeness(4), try likeness(8))
        #expect(fine < 0.1 && middle > 0.4 && coarse > 0.8, "\(fine) \(middle) \(coarse)")
    }

    @Test("Grain does not depend on threads and repetition, and differs between pictures")
    func seeds() throws {
        let picture = FilmPicture(light: 0.3, width: 600, height: 300)
        let texture = Self.grain(15, size: 3, isMonochrome: false)
        let one = try picture.light(texture)
        #expect(try picture.light(texture, threads: 3).values == one.values)
        #expect(try picture.light(texture).values == one.values)
        #expect(try FilmPicture(light: 0.31, width: 600, height: 300).light(texture).values != one.values)
    }

    @Test("A colour film has coloured grain, and a single-layer film colourless grain")
    func colours() throws {
        let picture = FilmPicture(light: 0.3, width: 600, height: 100)
        let grey = try picture.light(Self.grain(15, size: 3))
        #expect(zip(grey.values, grey.red).allSatisfy { abs($0 - $1) < 1e-4 })
        let coloured = try picture.light(Self.grain(15, size: 3, isMonochrome: false))
        #expect(zip(coloured.values, coloured.red).contains { abs($0 - $1) > 0.01 })
    }

    // MARK: - Halation

    @Test(
        "Around a point of light, halation has the film's spread in µm, at three resolutions",
        arguments: [1800, 3000, 6000])
    func halation(width: Int) throws {
        let texture = FilmTexture(
            longEdgeMicrometres: 36_000, grain: nil,
            halation: Halation(shares: SIMD3(repeating: 0.5), spreadMicrometres: 70, lampGain: 1))
        let pitch = 36_000 / Double(width)
        let size = Int(48 / pitch) / 2 * 2 + 2
        let (middleX, middleY) = (width / 2, 200)
        let picture = FilmPicture(light: 0, width: width, height: 400) { x, y in
            abs(x - middleX) < size / 2 && abs(y - middleY) < size / 2 ? 1 : 0
        }
        let light = try picture.light(texture)
        var (sum, square) = (0.0, 0.0)
        for y in 0..<400 {
            for x in 0..<width where abs(x - middleX) > size || abs(y - middleY) > size {
                let value = light.values[y * width + x]
                sum += value
                square += value * Double((x - middleX) * (x - middleX))
            }
        }
        // The light itself is excluded and has a width, so the spread around it is larger.
        let spread = (square / sum).squareRoot() * pitch
        #expect((70.0...125.0).contains(spread), "\(spread)")
        // At half the distance there is much more light.
        func at(_ micrometres: Double) -> Double {
            light.values[middleY * width + middleX + Int(micrometres / pitch)]
        }
        #expect(at(80) > 2 * at(160) && at(160) > 2 * at(260), "\(at(80)) \(at(160)) \(at(260))")
    }

    @Test("Even light is unchanged, and so is a picture without bright places")
    func even() throws {
        let texture = FilmTexture(
            longEdgeMicrometres: 36_000, grain: nil,
            halation: Halation(shares: SIMD3(0.1, 0.03, 0), spreadMicrometres: 70, lampGain: 6))
        for level in [0.1, 0.5, 1.0] {
            let light = try FilmPicture(light: level, width: 400, height: 200).light(texture)
            #expect(light.values.allSatisfy { abs($0 / level - 1) < 0.005 })
            #expect(light.red.allSatisfy { abs($0 / level - 1) < 0.005 })
        }
    }

    // MARK: - Sizes

    @Test("A preview shows the same as the full size", arguments: ["nocturne", "silver", "press"])
    func preview(name: String) throws {
        let look = try LookCatalogue.builtIn.look(name)
        let picture = FilmPicture(light: 0, width: 1600, height: 1200) { x, y in
            let stripes = (x / 160 + y / 160) % 2 == 0 ? 0.5 : 0.08
            return (x - 800) * (x - 800) + (y - 600) * (y - 600) < 900 ? 1 : stripes
        }
        let (full, small) = try picture.lumas(look.stage(), preview: 400)
        var difference = 0.0
        for y in 0..<300 {
            for x in 0..<400 {
                var sum = 0.0
                for dy in 0..<4 {
                    for dx in 0..<4 {
                        sum += TransferFunction.decode(Double(full[(4 * y + dy) * 1600 + 4 * x + dx]) / 255, .sRGB)
                    }
                }
                difference += abs(255 * TransferFunction.encode(sum / 16, .sRGB) - Double(small[y * 400 + x]))
            }
        }
        #expect(difference / 120_000 < 3, "\(difference / 120_000) steps on average")
    }
}
