import Pixels

/// A three-dimensional table, interpolated in the tetrahedron around each colour (H. R. Kang, 2006, "Computational
/// Color Technology", chapter 9): four nodes a pixel, and neutral inputs depend on the neutral axis alone.
final class TetrahedralTable: @unchecked Sendable {
    private let size: Int
    private let domain: CubeFile.Domain
    /// Red, green, blue and a zero a node; red of the input runs fastest. Written in `init` only, freed with the
    /// table: that guards it.
    private let nodes: UnsafeMutablePointer<SIMD4<Float>>

    init(_ cube: CubeFile.Cube) {
        size = cube.size
        domain = cube.domain
        let count = cube.size * cube.size * cube.size
        nodes = .allocate(capacity: count)
        for i in 0..<count {
            let value = SIMD4(cube.values[3 * i], cube.values[3 * i + 1], cube.values[3 * i + 2], 0)
            (nodes + i).initialize(to: value)
        }
    }

    deinit { nodes.deallocate() }

    func apply(_ row: PixelRow) {
        let top = Float(size - 1)
        let low = domain.minimum
        let scale = (0..<3).map { top / (domain.maximum[$0] - low[$0]) }
        let (lr, lg, lb) = (low[0], low[1], low[2])
        let (sr, sg, sb) = (scale[0], scale[1], scale[2])
        let last = Int32(size - 2)
        let green = size
        let blue = size * size
        for x in 0..<row.count {
            let r = Self.held((row.red[x] - lr) * sr, top)
            let g = Self.held((row.green[x] - lg) * sg, top)
            let b = Self.held((row.blue[x] - lb) * sb, top)
            let i = min(Int32(r), last)
            let j = min(Int32(g), last)
            let k = min(Int32(b), last)
            let fr = r - Float(i)
            let fg = g - Float(j)
            let fb = b - Float(k)
            let node = nodes + (Int(k) * blue + Int(j) * green + Int(i))
            // The axes in falling order of their fractions are the edges walked from the cell's low corner to its
            // high one.
            let value: SIMD4<Float>
            let origin = node[0]
            let far = node[1 + green + blue]
            if fr >= fg {
                if fg >= fb {
                    value = Self.walk(origin, node[1], node[1 + green], far, fr, fg, fb)
                } else if fr >= fb {
                    value = Self.walk(origin, node[1], node[1 + blue], far, fr, fb, fg)
                } else {
                    value = Self.walk(origin, node[blue], node[1 + blue], far, fb, fr, fg)
                }
            } else if fb >= fg {
                value = Self.walk(origin, node[blue], node[green + blue], far, fb, fg, fr)
            } else if fb >= fr {
                value = Self.walk(origin, node[green], node[green + blue], far, fg, fb, fr)
            } else {
                value = Self.walk(origin, node[green], node[1 + green], far, fg, fr, fb)
            }
            row.red[x] = value.x
            row.green[x] = value.y
            row.blue[x] = value.z
        }
    }

    @inline(__always)
    private static func held(_ value: Float, _ top: Float) -> Float {
        // A value that is no number fails the first comparison and becomes 0.
        value > 0 ? (value < top ? value : top) : 0
    }

    @inline(__always)
    private static func walk(
        _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>, _ high: Float, _ middle: Float,
        _ low: Float
    ) -> SIMD4<Float> {
        a + (b - a) * high + (c - b) * middle + (d - c) * low
    }
}
