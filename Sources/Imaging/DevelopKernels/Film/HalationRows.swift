import Pixels

/// Adds a film's halation to tiles of light, where the surroundings are brighter than the pixel.
package struct HalationRows: Sendable {
    let map: HalationMap
    private let shares: SIMD3<Float>
    private let lamps: LampLight

    /// The map is made from ``LampLight/restored(_:)`` with the same lamps. The shares of reflected light are 0 or
    /// more.
    package init(map: HalationMap, shares: SIMD3<Float>, lamps: LampLight) {
        self.map = map
        self.shares = shares
        self.lamps = lamps
    }

    func prepare(_ y: Int, _ around: PlanarRow) { map.write(y: y, into: around, shares: shares) }

    /// `around` is the spread light of the tile's squares; `gain` has room for a value per square.
    func apply(_ tile: Tile, _ around: PlanarRow, _ gain: UnsafeMutablePointer<Float>) {
        for corner in 0..<4 {
            let row = tile.corner(corner)
            let (red, green, blue) = (row.red, row.green, row.blue)
            for i in 0..<row.count { gain[i] = lamps.gain(red[i], green[i], blue[i]) }
            Self.add(around.red, to: red, gain, row.count, shares.x)
            Self.add(around.green, to: green, gain, row.count, shares.y)
            Self.add(around.blue, to: blue, gain, row.count, shares.z)
        }
    }

    private static func add(
        _ around: UnsafePointer<Float>, to light: UnsafeMutablePointer<Float>, _ gain: UnsafePointer<Float>,
        _ count: Int, _ share: Float
    ) {
        if share == 0 { return }
        for i in 0..<count {
            let more = around[i] - light[i] * gain[i]
            light[i] += share * (more > 0 ? more : 0)
        }
    }
}

/// Brightness of clipped lights: amplifies light progressively from six tenths of the sensor's white on.
package struct LampLight: Sendable {
    private let onset: Float
    private let slope: Float
    private let most: Float

    /// `white` is the light of the sensor's saturation, above 0; lamps are `gain` times as bright.
    package init(white: Float, gain: Float) {
        onset = 0.6 * white
        slope = 1 / (0.4 * white)
        most = gain - 1
    }

    @inline(__always)
    func gain(_ red: Float, _ green: Float, _ blue: Float) -> Float {
        let two = red > green ? red : green
        let top = two > blue ? two : blue
        let part = (top - onset) * slope
        let bounded = part < 0 ? 0 : (part > 1 ? 1 : part)
        return 1 + most * bounded * bounded
    }

    /// A colour with its assumed brightness.
    package func restored(_ colour: SIMD4<Float>) -> SIMD4<Float> {
        colour * gain(colour.x, colour.y, colour.z)
    }
}
