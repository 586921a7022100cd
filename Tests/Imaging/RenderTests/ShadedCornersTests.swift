import Looks
import Testing

/// CIVignette in whole pictures.
struct ShadedCornersTests {
    private func look(_ text: String) throws -> Look {
        try Look(file: LookChain(text).definition { (_: String) throws(LookError) in [] }, fileName: "look")
    }

    @Test("The shade is centred, its falloff follows the formula, and a preview has the same shade")
    func shade() throws {
        let (width, height, small) = (800, 600, 200)
        let picture = FilmPicture(light: 0.18, width: width, height: height)
        let plain = try picture.lumas(look("neutral").stage(), preview: small)
        let shaded = try picture.lumas(look("CIVignette(intensity=0.8)").stage(), preview: small)
        func expected(_ x: Double, _ y: Double, of value: UInt8) -> Double {
            let t = (x * x + y * y) / 2
            return Double(value) * (1 - 0.8 * t * t * (3 - 2 * t))
        }
        // Relative places from -1 to 1. In a picture that is not square, the axes count differently.
        for (luma, before, edge) in [(shaded.full, plain.full, width), (shaded.preview, plain.preview, small)] {
            let high = edge * 3 / 4
            for (column, row) in [
                (0, 0), (edge - 1, 0), (0, high - 1), (edge - 1, high - 1), (edge / 2, high / 2), (edge / 4, 0),
            ] {
                let (halfWidth, halfHeight) = (Double(edge) / 2, Double(high) / 2)
                let (dx, dy) = (Double(column) + 0.5 - halfWidth, Double(row) + 0.5 - halfHeight)
                let scale = (2 / (halfWidth * halfWidth + halfHeight * halfHeight)).squareRoot()
                let value = Double(luma[row * edge + column])
                let wanted = expected(dx * scale, dy * scale, of: before[row * edge + column])
                #expect(abs(value - wanted) < 3, "\(edge): \(column), \(row): \(value), not \(wanted)")
            }
        }
    }

    @Test("Film and effects before it are shaded too")
    func chains() throws {
        let picture = FilmPicture(light: 0.18, width: 240, height: 160)
        let plain = try picture.lumas(look("velvet(grain=0,halation=0)+sepia").stage(), preview: 60).full
        let shaded = try picture.lumas(
            look("velvet(grain=0,halation=0)+sepia+CIVignette(intensity=1)").stage(), preview: 60
        ).full
        #expect(shaded[0] < 6 && plain[0] > 80)
        let middle = 80 * 240 + 120
        #expect(abs(Int(shaded[middle]) - Int(plain[middle])) <= 2)
    }

    @Test("Shading of 8-bit values is within two steps of shading colours, with any chroma and colour space")
    func steps() throws {
        let picture = FilmPicture(light: 0.3, width: 240, height: 160) { x, y in 0.01 + 0.002 * Double(x + y) }
        // With a step after it, the shade is applied to colours.
        let (quick, plain) = (
            try look("sepia+CIVignette(intensity=0.8)"), try look("sepia+CIVignette(intensity=0.8)+mono(strength=0)")
        )
        let (a, b) = (try picture.lumas(quick.stage(), preview: 60), try picture.lumas(plain.stage(), preview: 60))
        for (one, other) in [(a.full, b.full), (a.preview, b.preview)] {
            #expect(zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
        }
        let lighter = try picture.lumas(look("CIVignette(intensity=-0.8)").stage(), preview: 60).full
        let neutral = try picture.lumas(look("neutral").stage(), preview: 60).full
        #expect(lighter[0] > neutral[0] + 10 && abs(Int(lighter[80 * 240 + 120]) - Int(neutral[80 * 240 + 120])) <= 1)
    }
}
