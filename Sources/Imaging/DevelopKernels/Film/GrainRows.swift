package import Pixels

/// Applies a film's grain to tiles of light: multiplies each layer's light by a factor with mean 1.
///
/// Grain varies the density of a layer. On the straight part of the layer's curve this equals a variation of light, so
/// grain is applied to light, before the curve. Values depend only on the position in the picture.
package struct GrainRows: Sendable {
    private let template: GrainTemplate
    private let seed: UInt64
    private let curves: (red: Curve, green: Curve, blue: Curve)
    private let isMonochrome: Bool
    /// Variation of the logarithm of light per template sample, as (start + slope · x) / (1 + x · rate).
    private struct Curve: Sendable {
        let start: Float
        let slope: Float
        let rate: Float
    }

    /// Maximum variation, in deviations of 1.
    private static let limit: Double = 0.8

    /// Nil for implausible numbers. The template is for the grain's size at this pitch, which is that of the picture's
    /// pixels on the film, above 0.
    package init?(_ grain: FilmGrain, template: GrainTemplate, pitchMicrometres: Double, seed: UInt64) {
        guard pitchMicrometres > 0, grain.granularity > 0, grain.responses.count == 3 else { return nil }
        self.template = template
        self.seed = seed
        isMonochrome = grain.isMonochrome
        let deviation = Self.deviation(grain, pitchMicrometres) * template.gain
        let curves = grain.responses.map { response in
            func bounded(_ value: Double) -> Double { min(max(value, 0) * deviation, Self.limit) }
            let (start, end) = (bounded(response.start), bounded(response.end))
            let rate = 1 / max(response.middle, 1e-3)
            let scale = 1 / Double(GrainTemplate.unit)
            return Curve(start: Float(start * scale), slope: Float(end * rate * scale), rate: Float(rate))
        }
        self.curves = (curves[0], curves[1], curves[2])
    }

    /// Deviation of density in a pixel, at a density of 1, of grain that is white noise.
    ///
    /// Granularity is measured through an aperture, which passes part of the noise's power (E. W. H. Selwyn, 1935, "A
    /// theory of graininess"), less the blur of a grain's size. A disc of 48 µm is treated as a Gaussian with the same
    /// noise.
    static func deviation(_ grain: FilmGrain, _ pitch: Double) -> Double {
        let aperture = 24.0 * 24.0 / 4
        let size = grain.sizeMicrometres * grain.sizeMicrometres
        return grain.granularity / 1000 * (4 * Double.pi * (aperture + size)).squareRoot() / pitch
    }

    func apply(_ tile: Tile) {
        for corner in 0..<4 {
            let row = tile.corner(corner)
            if row.y < 0 { continue }
            // A column before the picture has no grain.
            var start = row.x < 0 ? 1 : 0
            while start < row.count {
                let x = row.column(start)
                // To the end of the block; pixels are two columns apart.
                let left = (GrainTemplate.block.width - x % GrainTemplate.block.width + 1) / 2
                let count = min(left, row.count - start)
                apply(row.piece(from: start, count: count), x: x, y: row.y)
                start += count
            }
        }
    }

    private func apply(_ row: PixelRow, x: Int, y: Int) {
        let block = GrainTemplate.block
        let number = UInt64(truncatingIfNeeded: y / block.height) << 32 | UInt64(truncatingIfNeeded: x / block.width)
        var state = seed ^ GrainTemplate.mixed(number &+ 0x9E37_79B9_7F4A_7C15)
        let (left, top) = (x % block.width, y % block.height)
        let red = noise(GrainTemplate.next(&state), left, top)
        let green = isMonochrome ? red : noise(GrainTemplate.next(&state), left, top)
        let blue = isMonochrome ? red : noise(GrainTemplate.next(&state), left, top)
        apply(row, PlanarNoise(red: red, green: green, blue: blue))
    }

    /// A block's samples, at a random offset inside the template.
    @inline(__always)
    private func noise(_ bits: UInt64, _ x: Int, _ y: Int) -> UnsafePointer<Int8> {
        let edge = GrainTemplate.edge
        // An even column keeps even and odd samples apart.
        let columns = UInt64(edge - GrainTemplate.block.width) / 2
        let column = Int((bits & 0xFFFF_FFFF) % columns) * 2 + x
        let row = Int((bits >> 32) % UInt64(edge - GrainTemplate.block.height)) + y
        return UnsafePointer(template.samples + row * edge + (column & 1) * (edge / 2) + column / 2)
    }

    /// Three noise samples per pixel.
    private struct PlanarNoise {
        let red: UnsafePointer<Int8>
        let green: UnsafePointer<Int8>
        let blue: UnsafePointer<Int8>
    }

    /// One division for three layers, since 1 / a = (1 / abc) · bc: a division takes as long as ten products.
    @inline(__always)
    private func apply(_ row: PixelRow, _ noise: PlanarNoise) {
        let (red, green, blue) = (row.red, row.green, row.blue)
        let (first, second, third) = curves
        for i in 0..<row.count {
            let (x, y, z) = (red[i], green[i], blue[i])
            let (a, b, c) = (1 + first.rate * x, 1 + second.rate * y, 1 + third.rate * z)
            let (ab, ac, bc) = (a * b, a * c, b * c)
            let part = 1 / (ab * c)
            red[i] = x * Self.factor((first.start + first.slope * x) * (part * bc), noise.red[i])
            green[i] = y * Self.factor((second.start + second.slope * y) * (part * ac), noise.green[i])
            blue[i] = z * Self.factor((third.start + third.slope * z) * (part * ab), noise.blue[i])
        }
    }

    /// (1 + u / 8)⁸ for u = amount · noise, which is close to eᵘ and never negative, divided by its mean, about 1 +
    /// variance / 2.
    @inline(__always)
    private static func factor(_ amount: Float, _ noise: Int8) -> Float {
        let base = 1 + amount * Float(noise) * 0.125
        let square = base * base
        let fourth = square * square
        return fourth * fourth * (1 - amount * amount * Self.halfVariance)
    }

    private static let halfVariance = GrainTemplate.unit * GrainTemplate.unit * 0.5
}
