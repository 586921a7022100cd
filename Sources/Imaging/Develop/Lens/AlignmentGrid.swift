import DevelopKernels
import PictureFormat
import Pixels

/// The distance from green to red or blue that a lens causes, on the grid of a `WarpField` over that colour's samples
/// in a Bayer mosaic.
struct AlignmentGrid {
    private typealias Vector = LensWarp.Vector
    /// Maximum error of a place, in pixels, over which the distances of colours change far less.
    private static let tolerance = 0.25
    /// Pixels beyond the picture that are searched.
    private static let margin = 64.0

    private let corrections: SensorCorrections
    private let channel: Int
    private let least: SIMD2<Double>
    private let most: SIMD2<Double>

    /// Channel 0 is red, 2 blue.
    init(_ corrections: SensorCorrections, _ crop: PixelRect, channel: Int) {
        self.corrections = corrections
        self.channel = channel
        least = SIMD2(Double(crop.x), Double(crop.y)) - Self.margin
        most = SIMD2(Double(crop.x + crop.size.width), Double(crop.y + crop.size.height)) + Self.margin
    }

    /// Nil if colours are so far apart that they must be moved after the mosaic's interpolation.
    func field(_ lattice: ColourLattice) -> WarpField? {
        let rows = WarpField.rows(height: lattice.size.height)
        let columns = WarpField.columns(width: lattice.size.width)
        var across = [Int32](repeating: 0, count: rows * columns)
        var down = across
        let lanes = Vector(0, 1, 2, 3, 4, 5, 6, 7)
        // Samples are two pixels apart.
        let spacing = Double(2 * WarpField.spacing)
        for column in stride(from: 0, to: columns, by: 8) {
            let x = Double(lattice.x) + (lanes + Double(column)) * spacing
            var place = (x: x, y: Vector(repeating: Double(lattice.y)))
            for row in 0..<rows {
                let y = Vector(repeating: Double(lattice.y) + Double(row) * spacing)
                if row > 0 { place.y += spacing }
                let distance = distance(x, y, &place)
                for lane in 0..<min(8, columns - column) {
                    let index = row * columns + column + lane
                    across[index] = Self.samples(distance.x[lane])
                    down[index] = Self.samples(distance.y[lane])
                }
            }
        }
        return WarpField(size: lattice.size, source: lattice.size, planes: 1, across: across, down: down)
    }

    /// Distance from green at `x`, `y` to the other colour. `place` is a guess of the picture's position there, which
    /// is refined.
    private func distance(_ x: Vector, _ y: Vector, _ place: inout (x: Vector, y: Vector)) -> (x: Vector, y: Vector) {
        var green = corrections.source(place.x, place.y, channel: 1)
        for _ in 0..<16 {
            let (errorX, errorY) = (x - green.x, y - green.y)
            let square = errorX * errorX + errorY * errorY
            if all(square .<= Self.tolerance * Self.tolerance) { break }
            place.x = (place.x + errorX).clamped(
                lowerBound: Vector(repeating: least.x), upperBound: Vector(repeating: most.x))
            place.y = (place.y + errorY).clamped(
                lowerBound: Vector(repeating: least.y), upperBound: Vector(repeating: most.y))
            green = corrections.source(place.x, place.y, channel: 1)
        }
        let other = corrections.source(place.x, place.y, channel: channel)
        return (other.x - green.x, other.y - green.y)
    }

    /// Pixels in the field's samples; for NaN, a number that the field refuses.
    private static func samples(_ pixels: Double) -> Int32 {
        Int32(exactly: (pixels * Double(WarpField.unit) / 2).rounded(.toNearestOrEven)) ?? .max
    }
}
