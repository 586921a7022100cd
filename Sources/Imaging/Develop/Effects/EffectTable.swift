import DevelopKernels
import PixelKernels
import Pixels

/// A three-dimensional LUT of an effect on display-encoded values.
enum EffectTable {
    /// The table, or the effect if a table would differ by an 8-bit step on average, because colours jump. The effect
    /// depends only on a pixel's colour.
    static func operation(_ stage: any RowStage, size: Int) -> ColourOperation {
        let edge = (0..<size).map { Float($0) / Float(size - 1) }
        var points: [Float] = []
        points.reserveCapacity(3 * size * size * size)
        for blue in edge {
            for green in edge {
                let (r, g, b) = colours(stage, edge, green, blue)
                for x in 0..<size { points += [r[x], g[x], b[x]] }
            }
        }
        let table = TetrahedralInterpolator(size: size, points: points, minimum: .zero, maximum: .one)
        return isFaithful(table, to: stage, size: size) ? .table(table) : .stage(stage)
    }

    /// Compares both at the middle of the edges of every third cell.
    private static func isFaithful(_ table: TetrahedralInterpolator, to stage: any RowStage, size: Int) -> Bool {
        let places = stride(from: 0, to: size - 1, by: 3).map { (Float($0) + 0.5) / Float(size - 1) }
        var (sum, count) = (Float(0), 0)
        for blue in places {
            for green in places {
                let exact = colours(stage, places, green, blue)
                var red = places
                var (g, b) = (places.map { _ in green }, places.map { _ in blue })
                table.apply(&red, &g, &b)
                for (own, other) in [(red, exact.0), (g, exact.1), (b, exact.2)] {
                    for x in places.indices { sum += (own[x] - other[x]).magnitude }
                    count += places.count
                }
            }
        }
        return sum / Float(count) < 1.0 / 255
    }

    /// Red, green and blue, 0…1, of the effect on a row of colours.
    private static func colours(
        _ stage: any RowStage, _ red: [Float], _ green: Float, _ blue: Float
    ) -> ([Float], [Float], [Float]) {
        let count = red.count
        var values = red + Array(repeating: green, count: count) + Array(repeating: blue, count: count)
        unsafe values.withUnsafeMutableBufferPointer { values in
            guard let first = values.baseAddress else { return }
            let row = unsafe PixelRow(red: first, green: first + count, blue: first + 2 * count, count: count)
            stage.process(row)
            row.clip()
        }
        return (Array(values[..<count]), Array(values[count..<2 * count]), Array(values[(2 * count)...]))
    }
}
