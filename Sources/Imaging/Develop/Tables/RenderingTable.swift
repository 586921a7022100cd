import ColourScience
import PictureFormat
import Pixels

/// Everything after the tone curve as a three-dimensional LUT: restoring hue, fitting to the display space
/// (``DisplayMapping``), a look, and the encoding of the output space.
///
/// Its coordinates are toned light in Rec. 2020, encoded like the output. The LUT's neutral axis is the picture's, and
/// the tone curve, which differs between photos, is not part of it. Only a camera profile with tables needs scene
/// light: its LUT is for one curve.
struct RenderingTable {
    /// Points along an edge for 8 bits.
    static let usualSize = 33
    /// Points along an edge for 16 bits.
    static let fineSize = 65

    let size: Int
    /// Red, green and blue of the `size³` points, display-encoded in the output space, 0…1; the input's red runs
    /// fastest, blue slowest.
    private(set) var points: [Float]
    private let maker: RenderingTableMaker

    /// The look is an effect on display-encoded values that depends only on a pixel's colour. The profile changes scene
    /// light before the tone curve.
    init(_ look: any RowStage, output: ColourSpace, profile: ProfiledTone? = nil, size: Int = usualSize) {
        self.size = size
        maker = RenderingTableMaker(look: look, output: output, profile: profile)
        points = []
        points.reserveCapacity(3 * size * size * size)
        let edge = (0..<size).map { Double($0) / Double(size - 1) }
        let coordinates = edge.map(maker.coordinate)
        for blue in coordinates {
            for green in coordinates {
                points += maker.colours(coordinates.map { ($0, green, blue) })
            }
        }
    }

    private init(size: Int, points: [Float], maker: RenderingTableMaker) {
        self.size = size
        self.points = points
        self.maker = maker
    }

    /// Applies a look to a neutral table. Requires ``isNeutral(before:_:)``.
    func applying(_ look: any RowStage) -> RenderingTable {
        let maker = maker.with(look)
        return RenderingTable(size: size, points: maker.looked(points), maker: maker)
    }

    /// False for looks that do not start with the neutral table's colours: looks with a film, or in another space.
    static func isNeutral(before look: any RowStage, _ output: ColourSpace) -> Bool {
        look.film == nil && look.displaySpace ?? output == output
    }

    /// Whether the table is as good as its source. A look whose colours jump within a cell is not. The mean difference
    /// at sampled places between points, over all colours, must be below one 8-bit step. Smooth looks stay below a
    /// fifth of that, and the less saturated colours of photos at a third of it.
    var isFaithful: Bool { meanError < 1.0 / 255 }

    /// Mean difference of a channel from the source, at places between the points.
    var meanError: Float {
        let cells = size - 1
        var (sum, count) = (Float(0), 0)
        for blue in stride(from: 0, to: cells, by: 3) {
            for green in stride(from: 0, to: cells, by: 3) {
                // Fractions 1/4, 1/2 and 3/4, in every order.
                let fractions = Self.fractions[(blue / 3 + green / 3) % Self.fractions.count]
                let reds = Array(stride(from: 0, to: cells, by: 3))
                func place(_ cell: Int, _ axis: Int) -> RenderingTableMaker.Coordinate {
                    maker.coordinate((Double(cell) + Double(fractions[axis]) / 4) / Double(cells))
                }
                let exact = maker.colours(reds.map { (place($0, 0), place(green, 1), place(blue, 2)) })
                for (i, red) in reds.enumerated() {
                    let own = interpolated((red, green, blue), fractions)
                    for channel in 0..<3 { sum += (own[channel] - exact[3 * i + channel]).magnitude }
                    count += 3
                }
            }
        }
        return sum / Float(count)
    }

    private static let fractions = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]

    /// The colour inside a cell, a quarter of the way along the edges of its tetrahedron.
    private func interpolated(_ cell: (Int, Int, Int), _ fractions: [Int]) -> SIMD3<Float> {
        var index = (cell.2 * size + cell.1) * size + cell.0
        func point() -> SIMD3<Float> { SIMD3(points[3 * index], points[3 * index + 1], points[3 * index + 2]) }
        var sum = point() / 4
        for axis in [0, 1, 2].sorted(by: { fractions[$0] > fractions[$1] }) {
            index += [1, size, size * size][axis]
            sum += point() / 4
        }
        return sum
    }
}

/// Converts colours from table coordinates to display-encoded values, step by step.
private struct RenderingTableMaker {
    /// A channel of toned light and the corresponding scene light.
    struct Coordinate {
        let toned: Double
        let scene: Double
        /// By the photo's curve, for a profile.
        let light: Double
    }

    private var look: any RowStage
    private let output: ColourSpace
    private let display: ColourSpace
    private let toOutput: DisplayMapping
    private let toDisplay: DisplayMapping
    private let conversion: [Double]
    private let profile: ProfileMapping?
    private let curve: ToneCurve?

    init(look: any RowStage, output: ColourSpace, profile: ProfiledTone?) {
        self.profile = profile?.mapping
        curve = profile?.tone.curve
        self.look = look
        self.output = output
        display = look.displaySpace ?? output
        toOutput = DisplayMapping(output)
        toDisplay = DisplayMapping(display)
        conversion = (RGBPrimaries(output).fromXYZ * RGBPrimaries(display).toXYZ).elements
    }

    /// Adds a look to a neutral maker.
    func with(_ look: any RowStage) -> RenderingTableMaker {
        precondition(self.look is IdentityStage && RenderingTable.isNeutral(before: look, output))
        var copy = self
        copy.look = look
        return copy
    }

    /// The look's result for neutral colours: red, green and blue, display-encoded in the output space, 0…1.
    func looked(_ neutral: [Float]) -> [Float] {
        let planes = (0..<3).flatMap { channel in stride(from: channel, to: neutral.count, by: 3).map { neutral[$0] } }
        return interleaved(processed(planes) { look.process($0) })
    }

    /// The value is along an edge of the table, 0…1.
    func coordinate(_ value: Double) -> Coordinate {
        let toned = TransferFunction.decode(value, output)
        return Coordinate(
            toned: toned, scene: DisplayMapping.scene(toned), light: curve?.light(toned) ?? 0)
    }

    /// Toned light and the corresponding scene light.
    private func entering(_ colour: (Coordinate, Coordinate, Coordinate)) -> (SIMD3<Double>, SIMD3<Double>) {
        let (r, g, b) = colour
        guard let profile, let curve else {
            return (SIMD3(r.toned, g.toned, b.toned), SIMD3(r.scene, g.scene, b.scene))
        }
        let light = profile(SIMD3(r.light, g.light, b.light))
        let values = curve(SIMD8(light.x, light.y, light.z, 0, 0, 0, 0, 0))
        let toned = SIMD3(values[0], values[1], values[2])
        return (
            toned,
            SIMD3(DisplayMapping.scene(toned.x), DisplayMapping.scene(toned.y), DisplayMapping.scene(toned.z))
        )
    }

    /// Red, green and blue of each colour, display-encoded in the output space, 0…1.
    func colours(_ colours: [(Coordinate, Coordinate, Coordinate)]) -> [Float] {
        let light = colours.map(entering)
        let (toned, scene) = (light.map(\.0), light.map(\.1))
        let film = look.film.map { rendered($0, scene) }
        let own = rendered(toned, scene, film, display, toDisplay)
        if look is IdentityStage { return interleaved(encoded(own, output)) }
        let before = encoded(own, display)
        let after = processed(before) { look.process($0) }
        if display == output { return interleaved(after) }
        // For a colour outside its space, the look receives the nearest one inside. The output space's excess is added
        // again, as far as the look preserved the colour's strength.
        let wide = rendered(toned, scene, film, output, toOutput)
        let shown = decoded(after, display)
        let result = wide.indices.map { i -> SIMD3<Double> in
            let strength = Self.chroma(before, i)
            let kept = strength > 0 ? min(Self.chroma(after, i) / strength, 1) : 0
            return converted(shown[i]) + (wide[i] - converted(own[i])) * kept
        }
        return interleaved(encoded(result, output))
    }

    /// Colours as light in a display space, by the tone curve, or by a film whose result is in Rec. 2020.
    private func rendered(
        _ toned: [SIMD3<Double>], _ scene: [SIMD3<Double>], _ film: [SIMD3<Double>]?, _ space: ColourSpace,
        _ mapping: DisplayMapping
    ) -> [SIMD3<Double>] {
        guard let film else { return zip(toned, scene).map { mapping($0, scene: $1) } }
        let share = Double(look.film?.share ?? 1)
        let light = film.map { mapping.fitted($0) }
        if share == 1 { return light }
        // Half a film is half-way in display-encoded steps.
        let neutral = encoded(zip(toned, scene).map { mapping($0, scene: $1) }, space)
        return decoded(zip(neutral, encoded(light, space)).map { $0 + ($1 - $0) * Float(share) }, space)
    }

    /// A film's result for scene light, in Rec. 2020.
    private func rendered(_ film: any FilmStage, _ scene: [SIMD3<Double>]) -> [SIMD3<Double>] {
        let count = scene.count
        let light = processed((0..<3).flatMap { channel in scene.map { Float($0[channel]) } }) { film.render($0) }
        return (0..<count).map { SIMD3(Double(light[$0]), Double(light[count + $0]), Double(light[2 * count + $0])) }
    }

    /// An effect's result, clipped to 0…1, channel by channel.
    private func processed(_ colours: [Float], by effect: (PixelRow) -> Void) -> [Float] {
        let count = colours.count / 3
        var values = colours
        unsafe values.withUnsafeMutableBufferPointer { values in
            guard let red = values.baseAddress else { return }
            unsafe effect(PixelRow(red: red, green: red + count, blue: red + 2 * count, count: count))
        }
        // NaN becomes 0.
        return values.map { $0 > 0 ? min($0, 1) : 0 }
    }

    private static func chroma(_ colours: [Float], _ index: Int) -> Double {
        let count = colours.count / 3
        let (r, g, b) = (colours[index], colours[count + index], colours[2 * count + index])
        return Double(max(r, g, b) - min(r, g, b))
    }

    private func converted(_ colour: SIMD3<Double>) -> SIMD3<Double> {
        let m = conversion
        return SIMD3(
            m[0] * colour.x + m[1] * colour.y + m[2] * colour.z, m[3] * colour.x + m[4] * colour.y + m[5] * colour.z,
            m[6] * colour.x + m[7] * colour.y + m[8] * colour.z)
    }

    /// Channel by channel.
    private func encoded(_ colours: [SIMD3<Double>], _ space: ColourSpace) -> [Float] {
        mapped((0..<3).flatMap { channel in colours.map { $0[channel] } }) {
            TransferFunction.encode($0.clamped(lowerBound: .zero, upperBound: .one), space)
        }.map { Float($0) }
    }

    private func decoded(_ values: [Float], _ space: ColourSpace) -> [SIMD3<Double>] {
        let light = mapped(values.map(Double.init)) { TransferFunction.decode($0, space) }
        let count = values.count / 3
        return (0..<count).map { SIMD3(light[$0], light[count + $0], light[2 * count + $0]) }
    }

    /// Eight values at a time.
    private func mapped(_ values: [Double], _ function: (SIMD8<Double>) -> SIMD8<Double>) -> [Double] {
        var result: [Double] = []
        result.reserveCapacity(values.count)
        for start in stride(from: 0, to: values.count, by: 8) {
            let count = min(8, values.count - start)
            var vector = SIMD8<Double>.zero
            for i in 0..<count { vector[i] = values[start + i] }
            vector = function(vector)
            for i in 0..<count { result.append(vector[i]) }
        }
        return result
    }

    /// From channel by channel to pixel by pixel.
    private func interleaved(_ values: [Float]) -> [Float] {
        let count = values.count / 3
        var result: [Float] = []
        result.reserveCapacity(3 * count)
        for i in 0..<count {
            result.append(values[i])
            result.append(values[count + i])
            result.append(values[2 * count + i])
        }
        return result
    }
}
