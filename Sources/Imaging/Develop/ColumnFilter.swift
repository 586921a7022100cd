import PictureFormat
import Pixels

/// Filters along the rows, two rows at once and a tile's columns at a time. The result is squares of pixels, as tiles have
/// them.
///
/// Where the processor has wide vectors (`CAVX512`), they work on the planes as they are. Elsewhere the pixels of both rows,
/// side by side, fill a vector of eight.
final class ColumnFilter {
    private typealias Pair = SIMD8<Float>

    private let axis: ResampleAxis
    /// By output column, in groups of six; those beyond the axis's own are 0.
    private let weights: [Float]
    private let groups: Int
    /// Nil where there are too many taps.
    private let wide: WideTaps?
    private let inputs: ScratchRows
    let outputs = ScratchRows(rows: Tile.planes, count: Tile.squares)
    /// What is filtered, with pixels beyond the last for weights of 0, and the result.
    private let pixels: UnsafeMutablePointer<Pair>
    private let results: UnsafeMutablePointer<Pair>

    init(_ axis: ResampleAxis) {
        self.axis = axis
        groups = axis.groupsOfTaps
        weights = axis.groupedWeights(scale: 1)
        wide = WideTaps(axis)
        let most = Self.mostInputs(axis)
        inputs = ScratchRows(rows: 6, count: most + WideTaps.slack)
        pixels = .allocate(capacity: most + 8)
        pixels.initialize(repeating: .zero, count: most + 8)
        results = .allocate(capacity: Tile.width)
        results.initialize(repeating: .zero, count: Tile.width)
    }

    deinit {
        pixels.deallocate()
        results.deallocate()
    }

    /// The columns that a range of the result's is made of, from the begin of a line of the cache.
    func inputs(of outputs: Range<Int>) -> Range<Int> { Self.inputs(axis, outputs) }

    private static func inputs(_ axis: ResampleAxis, _ outputs: Range<Int>) -> Range<Int> {
        let (first, last) = (Int(axis.starts[outputs.lowerBound]), Int(axis.starts[outputs.upperBound - 1]))
        return first & ~15..<last + axis.taps
    }

    private static func mostInputs(_ axis: ResampleAxis) -> Int {
        (0..<axis.output).map { inputs(axis, $0..<min($0 + Tile.width, axis.output)).count }.max() ?? 0
    }

    /// Where to put row 0 and row 1 of the columns.
    func input(_ row: Int) -> PlanarRow {
        PlanarRow(red: inputs.row(3 * row), green: inputs.row(3 * row + 1), blue: inputs.row(3 * row + 2))
    }

    /// - Parameter lead: 1 where the first square begins one column before the result; what stands there has no meaning.
    func filter(_ range: Range<Int>, lead: Int) {
        let columns = inputs(of: range)
        if filterWide(range, columns, lead: lead) { return }
        join(input(0), input(1), count: columns.count)
        axis.starts.withUnsafeBufferPointer { starts in
            weights.withUnsafeBufferPointer { weights in
                if let start = starts.baseAddress, let weight = weights.baseAddress {
                    filter(range, pixels - columns.lowerBound, start, weight, into: results + lead)
                }
            }
        }
        for corner in 0..<4 { split(corner, squares: (range.count + lead + 1) / 2) }
    }

    /// False where it cannot be done this way.
    private func filterWide(_ range: Range<Int>, _ columns: Range<Int>, lead: Int) -> Bool {
        guard let wide else { return false }
        return wide.filter(
            range, inputs.row(0) - columns.lowerBound, stride: inputs.row(1) - inputs.row(0), into: outputs.row(0),
            stride: outputs.row(1) - outputs.row(0), beginsRight: lead == 1)
    }

    private func filter(
        _ range: Range<Int>, _ pixels: UnsafePointer<Pair>, _ starts: UnsafePointer<Int32>,
        _ weights: UnsafePointer<Float>, into results: UnsafeMutablePointer<Pair>
    ) {
        var weight = weights + range.lowerBound * groups * ResampleAxis.group
        for x in range {
            var from = pixels + Int(starts[x])
            var sum = Pair.zero
            for _ in 0..<groups {
                sum = sum + from[0] * weight[0] + from[1] * weight[1] + from[2] * weight[2]
                sum = sum + from[3] * weight[3] + from[4] * weight[4] + from[5] * weight[5]
                from += ResampleAxis.group
                weight += ResampleAxis.group
            }
            results[x - range.lowerBound] = sum.replacing(with: 0, where: sum .< 0)
        }
    }

    /// The rows' planes to pixels: four columns at a time, as vectors that change places. (The stores have room beyond
    /// the last column, and so have the rows.)
    private func join(_ a: PlanarRow, _ b: PlanarRow, count: Int) {
        for x in stride(from: 0, to: count, by: 4) {
            let (ar, ag, ab) = (Self.four(a.red + x), Self.four(a.green + x), Self.four(a.blue + x))
            let (br, bg, bb) = (Self.four(b.red + x), Self.four(b.green + x), Self.four(b.blue + x))
            for i in 0..<4 {
                pixels[x + i] = Pair(
                    lowHalf: SIMD4(ar[i], ag[i], ab[i], 0), highHalf: SIMD4(br[i], bg[i], bb[i], 0))
            }
        }
    }

    /// One corner's pixels to planes; a loop of its own, lest the compiler take the filter's vectors apart.
    private func split(_ corner: Int, squares: Int) {
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
