import Pixels

/// A three-dimensional table, interpolated in the tetrahedron around each colour (H. R. Kang, 2006, "Computational
/// Color Technology", chapter 9): four nodes a pixel, and neutral inputs depend on the neutral axis alone.
///
/// The fractions inside a cell, in falling order, are how far to go along each axis from the cell's low corner to its
/// high one. A first pass finds corners and fractions for many pixels without a branch, a second one fetches nodes, a
/// third one sorts the results into planes: the compiler makes vector code of each, but not of all three in one loop.
final class TetrahedralTable: @unchecked Sendable {
    private static let piece = 256
    /// Bits of a corner's word that say in which of the tetrahedra the colour lies.
    private static let codeBits: Int32 = 3

    private let size: Int
    private let domain: CubeFile.Domain
    /// Red, green, blue and a zero a node; red of the input runs fastest. A colour on the table's last plane lies in a
    /// cell beyond it with a fraction of 0: further nodes after the last one make that readable.
    ///
    /// Written in `init` only, freed with the table: that guards it.
    private let nodes: UnsafeMutablePointer<SIMD4<Float>>
    /// By tetrahedron: the distances, in nodes, from a cell's low corner to the second and the third node.
    private let steps: UnsafeMutablePointer<SIMD2<Int32>>

    init(_ cube: CubeFile.Cube) {
        size = cube.size
        domain = cube.domain
        let count = size * size * size
        let beyond = 1 + size + size * size
        nodes = .allocate(capacity: count + beyond)
        nodes.initialize(repeating: .zero, count: count + beyond)
        for i in 0..<count {
            nodes[i] = SIMD4(cube.values[3 * i], cube.values[3 * i + 1], cube.values[3 * i + 2], 0)
        }
        steps = .allocate(capacity: 8)
        for code in 0..<8 { (steps + code).initialize(to: Self.steps(code: code, size: size)) }
    }

    deinit {
        nodes.deallocate()
        steps.deallocate()
    }

    /// - Parameter code: 1 where red's fraction is above green's, 2 green's above blue's, 4 red's above blue's.
    private static func steps(code: Int, size: Int) -> SIMD2<Int32> {
        let (red, green, blue) = (1, size, size * size)
        let (redGreen, greenBlue, redBlue) = (code & 1 != 0, code & 2 != 0, code & 4 != 0)
        let highest = redGreen ? (redBlue ? red : blue) : (greenBlue ? green : blue)
        let lowest = redGreen ? (greenBlue ? blue : green) : (redBlue ? blue : red)
        return SIMD2(Int32(highest), Int32(red + green + blue - lowest))
    }

    func apply(_ row: PixelRow) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * Self.piece) { fractions in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.piece) { corners in
                withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: Self.piece) { colours in
                    guard let fractions = fractions.baseAddress, let corners = corners.baseAddress,
                        let colours = colours.baseAddress
                    else { return }
                    for start in stride(from: 0, to: row.count, by: Self.piece) {
                        let count = min(Self.piece, row.count - start)
                        let (r, g, b) = (row.red + start, row.green + start, row.blue + start)
                        place(r, g, b, count, fractions, corners)
                        fetch(colours, count, fractions, corners)
                        InterleavedRow.split(colours, into: r, g, b, count: count)
                    }
                }
            }
        }
    }

    /// The low corner of each colour's cell with the code of its tetrahedron, and its fractions: high, middle, low.
    private func place(
        _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ count: Int,
        _ fractions: UnsafeMutablePointer<Float>, _ corners: UnsafeMutablePointer<Int32>
    ) {
        let top = Float(size - 1)
        let (lr, lg, lb) = (domain.minimum[0], domain.minimum[1], domain.minimum[2])
        let sr = top / (domain.maximum[0] - lr)
        let sg = top / (domain.maximum[1] - lg)
        let sb = top / (domain.maximum[2] - lb)
        let greens = Float(size)
        let blues = Float(size * size)
        for x in 0..<count {
            let r = Self.held((red[x] - lr) * sr, top)
            let g = Self.held((green[x] - lg) * sg, top)
            let b = Self.held((blue[x] - lb) * sb, top)
            let i = Float(Int32(r))
            let j = Float(Int32(g))
            let k = Float(Int32(b))
            let fr = r - i
            let fg = g - j
            let fb = b - k
            let lower = fr < fg ? fr : fg
            let upper = fr > fg ? fr : fg
            let inner = upper < fb ? upper : fb
            fractions[x] = upper > fb ? upper : fb
            fractions[Self.piece + x] = lower > inner ? lower : inner
            fractions[2 * Self.piece + x] = lower < fb ? lower : fb
            // At most 256³ nodes: a float holds every index.
            let corner = Int32(k * blues + j * greens + i)
            // The sign bits of the differences make the code; equal fractions give the same colour either way.
            let redGreen = (fg - fr).bitPattern >> 31
            let greenBlue = ((fb - fg).bitPattern >> 30) & 2
            let redBlue = ((fb - fr).bitPattern >> 29) & 4
            corners[x] = corner << Self.codeBits | Int32(bitPattern: redGreen | greenBlue | redBlue)
        }
    }

    private func fetch(
        _ colours: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int, _ fractions: UnsafePointer<Float>,
        _ corners: UnsafePointer<Int32>
    ) {
        let steps = steps
        let nodes = nodes
        let far = 1 + size + size * size
        for x in 0..<count {
            let word = corners[x]
            let corner = nodes + Int(word >> Self.codeBits)
            let step = steps[Int(word & 7)]
            let a = corner[0]
            let b = corner[Int(step.x)]
            let c = corner[Int(step.y)]
            let d = corner[far]
            colours[x] =
                a + (b - a) * fractions[x] + (c - b) * fractions[Self.piece + x] + (d - c)
                * fractions[2 * Self.piece + x]
        }
    }

    @inline(__always)
    private static func held(_ value: Float, _ top: Float) -> Float {
        // A value that is no number fails the first comparison and becomes 0.
        value > 0 ? (value < top ? value : top) : 0
    }
}
