import Pixels

/// Filters along the rows, two rows at once: the pixels of both, side by side, fill a vector of eight. The result is
/// squares of pixels, as tiles have them.
final class ColumnFilter {
    private typealias Pair = SIMD8<Float>

    private let axis: ResampleAxis
    /// By output column, in groups of six; those beyond the axis's own are 0.
    private let weights: [Float]
    private let groups: Int
    private let inputs: RowStore
    /// Squares of the result, and red, green and blue of their corners.
    let squares: Int
    let outputs: RowStore
    private let lead: Int
    /// What is filtered, with pixels of 0 beyond the last for weights of 0, and the result.
    private let pixels: UnsafeMutablePointer<Pair>
    private let results: UnsafeMutablePointer<Pair>

    /// - Parameter lead: 1 where the squares begin one column before the result; what stands there has no meaning.
    init(_ axis: ResampleAxis, lead: Int) {
        self.axis = axis
        self.lead = lead
        groups = axis.groupsOfTaps
        weights = axis.groupedWeights(scale: 1)
        inputs = RowStore(rows: 6, count: axis.boxed)
        squares = (axis.output + lead + 1) / 2
        outputs = RowStore(rows: Tile.planes, count: squares)
        pixels = .allocate(capacity: axis.boxed + 8)
        pixels.initialize(repeating: .zero, count: axis.boxed + 8)
        results = .allocate(capacity: 2 * squares + 8)
        results.initialize(repeating: .zero, count: 2 * squares + 8)
    }

    deinit {
        pixels.deallocate()
        results.deallocate()
    }

    /// Where to put row 0 and row 1.
    func input(_ row: Int) -> PlanarRow {
        PlanarRow(red: inputs.row(3 * row), green: inputs.row(3 * row + 1), blue: inputs.row(3 * row + 2))
    }

    func filter() {
        join(input(0), input(1))
        axis.starts.withUnsafeBufferPointer { starts in
            weights.withUnsafeBufferPointer { weights in
                if let start = starts.baseAddress, let weight = weights.baseAddress { filter(start, weight) }
            }
        }
        for corner in 0..<4 { split(corner) }
    }

    private func filter(_ starts: UnsafePointer<Int32>, _ weights: UnsafePointer<Float>) {
        var weight = weights
        let results = results + lead
        for x in 0..<axis.output {
            var from = UnsafePointer(pixels + Int(starts[x]))
            var sum = Pair.zero
            for _ in 0..<groups {
                sum = sum + from[0] * weight[0] + from[1] * weight[1] + from[2] * weight[2]
                sum = sum + from[3] * weight[3] + from[4] * weight[4] + from[5] * weight[5]
                from += ResampleAxis.group
                weight += ResampleAxis.group
            }
            results[x] = sum.replacing(with: 0, where: sum .< 0)
        }
    }

    /// The rows' planes to pixels: four columns at a time, as vectors that change places. (The stores have room beyond
    /// the last column, and so have the rows.)
    private func join(_ a: PlanarRow, _ b: PlanarRow) {
        for x in stride(from: 0, to: axis.boxed, by: 4) {
            let (ar, ag, ab) = (Self.four(a.red + x), Self.four(a.green + x), Self.four(a.blue + x))
            let (br, bg, bb) = (Self.four(b.red + x), Self.four(b.green + x), Self.four(b.blue + x))
            for i in 0..<4 {
                pixels[x + i] = Pair(
                    lowHalf: SIMD4(ar[i], ag[i], ab[i], 0), highHalf: SIMD4(br[i], bg[i], bb[i], 0))
            }
        }
        for x in axis.boxed..<(axis.boxed + 4) { pixels[x] = .zero }
    }

    /// One corner's pixels to planes; a loop of its own, lest the compiler take the filter's vectors apart.
    private func split(_ corner: Int) {
        // Of four vectors of four: the left corner of both rows, then the right one.
        let place = (corner & 1) * 2 + corner >> 1
        let pixels = UnsafeRawPointer(results).assumingMemoryBound(to: SIMD4<Float>.self) + place
        for x in stride(from: 0, to: squares, by: 4) {
            let (a, b, c, d) = (pixels[4 * x], pixels[4 * x + 4], pixels[4 * x + 8], pixels[4 * x + 12])
            Self.store(SIMD4(a.x, b.x, c.x, d.x), outputs.row(3 * corner) + x)
            Self.store(SIMD4(a.y, b.y, c.y, d.y), outputs.row(3 * corner + 1) + x)
            Self.store(SIMD4(a.z, b.z, c.z, d.z), outputs.row(3 * corner + 2) + x)
        }
    }

    @inline(__always)
    private static func four(_ source: UnsafeMutablePointer<Float>) -> SIMD4<Float> {
        UnsafeRawPointer(source).loadUnaligned(as: SIMD4<Float>.self)
    }

    @inline(__always)
    private static func store(_ values: SIMD4<Float>, _ target: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(target).storeBytes(of: values, as: SIMD4<Float>.self)
    }
}
