/// A function of linear light for 16-bit samples: linear between the edges of the cells of `LightLUTIndex`.
///
/// A cell is at most 0.2 % of the light wide, and the curves bend so little in it that the error is within a 16-bit
/// step; only a power that is infinitely steep at black (Adobe RGB's) has a larger error, in light below 1/20,000 of
/// white.
///
/// `@unchecked Sendable`: the memory is written only in `init`, and freed with the curve.
package final class LightCurve: LightMapping, @unchecked Sendable {
    /// The value at a cell's lower edge, and its growth per step of a float in the cell.
    private let cells: UnsafeMutablePointer<SIMD2<Float>>

    /// The function is of light, 0…16.
    package init(_ function: (SIMD8<Double>) -> SIMD8<Double>) {
        let count = LightLUTIndex.count
        var edges: [Double] = []
        for start in stride(from: 0, through: count, by: 8) {
            var light = SIMD8<Double>.zero
            for i in 0..<8 { light[i] = LightLUTIndex.edge(min(start + i, count)) }
            let values = function(light)
            for i in 0..<8 { edges.append(values[i]) }
        }
        cells = .allocate(capacity: count)
        for i in 0..<count {
            let slope = (edges[i + 1] - edges[i]) / Double(LightLUTIndex.stepsPerCell)
            (cells + i).initialize(to: SIMD2(Float(edges[i]), Float(slope)))
        }
    }

    deinit { cells.deallocate() }

    package func map(_ light: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, count: Int) {
        let cells = cells
        for x in 0..<count {
            let (cell, step) = LightLUTIndex.place(light[x])
            let line = cells[Int(cell)]
            result[x] = line.x + line.y * Float(step)
        }
    }
}

/// A function of linear light, applied to many values at once.
package protocol LightMapping: Sendable {
    /// Maps `count` amounts of light, none negative. Light of 16 and above counts as just below 16. `result` may be
    /// `light`.
    func map(_ light: UnsafePointer<Float>, into result: UnsafeMutablePointer<Float>, count: Int)
}
