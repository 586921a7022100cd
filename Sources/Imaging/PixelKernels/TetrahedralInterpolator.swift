/// A three-dimensional lookup table (LUT) with tetrahedral interpolation (H. R. Kang, 2006, "Computational Color
/// Technology", chapter 9): four nodes per pixel, and neutral inputs depend only on the neutral axis.
///
/// The fractions inside a cell, in descending order, give the steps along the axes from the cell's low corner to its
/// high one. The first pass finds corners and fractions of many pixels without a branch, the second fetches nodes, the
/// third sorts results into planes. The compiler vectorises each of them, but not a single loop.
public final class TetrahedralInterpolator: @unchecked Sendable {
    /// Pixels per pass.
    private static let blockSize = 256
    /// Low bits of a cell's number, which select one of its tetrahedra.
    private static let codeBits: Int32 = 3

    private let size: Int
    private let minimum: SIMD3<Float>
    private let maximum: SIMD3<Float>
    /// Red, green, blue and a zero per node; the input's red runs fastest. A colour on the table's last plane lies in a
    /// cell beyond it with a fraction of 0, which spare nodes after the last one make readable.
    ///
    /// `@unchecked Sendable`: written only in `init`, then read until `deinit` frees it. So is `steps`.
    private let nodes: UnsafeMutablePointer<SIMD4<Float>>
    /// By tetrahedron, the distances in nodes from a cell's low corner to the second and third node.
    private let steps: UnsafeMutablePointer<SIMD2<Int32>>

    /// Proves that there are `size³` points, that every node's index fits an `Int32` and a `Float` exactly, and that
    /// the domain is not empty; ends the process otherwise.
    ///
    /// - Parameters:
    ///   - size: points along each edge, 2 to 256.
    ///   - points: red, green, blue of each of the `size³` points; the input's red runs fastest.
    ///   - minimum: inputs of the first point, by channel.
    ///   - maximum: inputs of the last point, above `minimum`.
    public init(size: Int, points: [Float], minimum: SIMD3<Float>, maximum: SIMD3<Float>) {
        // This module is compiled without `precondition`.
        guard (2...256).contains(size), points.count == 3 * size * size * size, all(minimum .< maximum) else {
            fatalError("a 3-D LUT has size³ points and a domain")
        }
        self.size = size
        self.minimum = minimum
        self.maximum = maximum
        let count = size * size * size
        let spare = 1 + size + size * size
        nodes = .allocate(capacity: count + spare)
        nodes.initialize(repeating: .zero, count: count + spare)
        for i in 0..<count { nodes[i] = SIMD4(points[3 * i], points[3 * i + 1], points[3 * i + 2], 0) }
        steps = .allocate(capacity: 8)
        for code in 0..<8 { (steps + code).initialize(to: Self.steps(code: code, size: size)) }
    }

    deinit {
        nodes.deallocate()
        steps.deallocate()
    }

    /// - Parameter code: the sum of 1 if red's fraction is above green's, 2 if green's is above blue's, 4 if red's is
    ///   above blue's.
    private static func steps(code: Int, size: Int) -> SIMD2<Int32> {
        let (red, green, blue) = (1, size, size * size)
        let (redGreen, greenBlue, redBlue) = (code & 1 != 0, code & 2 != 0, code & 4 != 0)
        let highest = redGreen ? (redBlue ? red : blue) : (greenBlue ? green : blue)
        let lowest = redGreen ? (greenBlue ? blue : green) : (redBlue ? blue : red)
        return SIMD2(Int32(highest), Int32(red + green + blue - lowest))
    }

    /// Replaces `count` colours.
    public func apply(
        _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * Self.blockSize) { fractions in
            withUnsafeTemporaryAllocation(of: Int32.self, capacity: Self.blockSize) { cells in
                withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: Self.blockSize) { colours in
                    guard let fractions = fractions.baseAddress, let cells = cells.baseAddress,
                        let colours = colours.baseAddress
                    else { return }
                    for start in stride(from: 0, to: count, by: Self.blockSize) {
                        let count = min(Self.blockSize, count - start)
                        let (r, g, b) = (red + start, green + start, blue + start)
                        locate(r, g, b, count, fractions, cells)
                        interpolate(colours, count, fractions, cells)
                        Self.deinterleave(colours, into: r, g, b, count: count)
                    }
                }
            }
        }
    }

    /// Replaces as many colours as the shortest array has.
    public func apply(_ red: inout [Float], _ green: inout [Float], _ blue: inout [Float]) {
        let count = min(red.count, green.count, blue.count)
        red.withUnsafeMutableBufferPointer { red in
            green.withUnsafeMutableBufferPointer { green in
                blue.withUnsafeMutableBufferPointer { blue in
                    guard let r = red.baseAddress, let g = green.baseAddress, let b = blue.baseAddress else { return }
                    apply(r, g, b, count: count)
                }
            }
        }
    }

    /// Finds each colour's cell, with the code of its tetrahedron, and its fractions: high, middle, low.
    private func locate(
        _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ count: Int,
        _ fractions: UnsafeMutablePointer<Float>, _ cells: UnsafeMutablePointer<Int32>
    ) {
        let top = Float(size - 1)
        let (lr, lg, lb) = (minimum[0], minimum[1], minimum[2])
        let sr = top / (maximum[0] - lr)
        let sg = top / (maximum[1] - lg)
        let sb = top / (maximum[2] - lb)
        let greens = Float(size)
        let blues = Float(size * size)
        for x in 0..<count {
            let r = Self.clamped((red[x] - lr) * sr, top)
            let g = Self.clamped((green[x] - lg) * sg, top)
            let b = Self.clamped((blue[x] - lb) * sb, top)
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
            fractions[Self.blockSize + x] = lower > inner ? lower : inner
            fractions[2 * Self.blockSize + x] = lower < fb ? lower : fb
            // At most 256³ nodes: a float holds every index.
            let corner = Int32(k * blues + j * greens + i)
            // The sign bits of the differences form the code; equal fractions give the same colour either way.
            let redGreen = (fg - fr).bitPattern >> 31
            let greenBlue = ((fb - fg).bitPattern >> 30) & 2
            let redBlue = ((fb - fr).bitPattern >> 29) & 4
            cells[x] = corner << Self.codeBits | Int32(bitPattern: redGreen | greenBlue | redBlue)
        }
    }

    private func interpolate(
        _ colours: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int, _ fractions: UnsafePointer<Float>,
        _ cells: UnsafePointer<Int32>
    ) {
        let steps = steps
        let nodes = nodes
        let far = 1 + size + size * size
        for x in 0..<count {
            let cell = cells[x]
            let corner = nodes + Int(cell >> Self.codeBits)
            let step = steps[Int(cell & 7)]
            let a = corner[0]
            let b = corner[Int(step.x)]
            let c = corner[Int(step.y)]
            let d = corner[far]
            colours[x] =
                a + (b - a) * fractions[x] + (c - b) * fractions[Self.blockSize + x] + (d - c)
                * fractions[2 * Self.blockSize + x]
        }
    }

    @inline(__always)
    private static func clamped(_ value: Float, _ top: Float) -> Float {
        // NaN fails the first comparison and becomes 0.
        value > 0 ? (value < top ? value : top) : 0
    }

    /// A separate loop, four pixels at a time: if the compiler sees that only three of a vector's four numbers are
    /// used, it splits the preceding arithmetic.
    private static func deinterleave(
        _ pixels: UnsafePointer<SIMD4<Float>>, into red: UnsafeMutablePointer<Float>,
        _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>, count: Int
    ) {
        let whole = count & ~3
        for x in stride(from: 0, to: whole, by: 4) {
            let (a, b, c, d) = (pixels[x], pixels[x + 1], pixels[x + 2], pixels[x + 3])
            store(SIMD4(a.x, b.x, c.x, d.x), red + x)
            store(SIMD4(a.y, b.y, c.y, d.y), green + x)
            store(SIMD4(a.z, b.z, c.z, d.z), blue + x)
        }
        for x in whole..<count {
            red[x] = pixels[x].x
            green[x] = pixels[x].y
            blue[x] = pixels[x].z
        }
    }

    @inline(__always)
    private static func store(_ values: SIMD4<Float>, _ target: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(target).storeBytes(of: values, as: SIMD4<Float>.self)
    }
}
