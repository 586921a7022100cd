import PictureFormat
import Pixels

/// Filters a picture horizontally, two rows and a tile's columns at a time. The result is squares of pixels, as in
/// tiles. AVX-512 uses the planes directly (`AVX512Taps`); otherwise the pixels of both rows are interleaved and fill a
/// vector of eight.
final class HorizontalFilter {
    private typealias Pair = SIMD8<Float>

    private let axis: ResampleAxis
    /// By output column, in groups of six, padded with 0.
    private let weights: [Float]
    private let groups: Int
    /// Nil on another path or for too many taps.
    private let avx512: AVX512Taps?
    private let inputs: ScratchRows
    let outputs = ScratchRows(rows: Tile.planes, count: Tile.squares)
    /// Input pixels, with padding beyond the last for weights of 0.
    private let pixels: UnsafeMutablePointer<Pair>
    private let results: UnsafeMutablePointer<Pair>

    init(_ axis: ResampleAxis, path: VectorPath = .ofThisBuild) {
        self.axis = axis
        groups = axis.tapGroups
        weights = axis.groupedWeights(scale: 1)
        avx512 = path == .avx512 ? AVX512Taps(axis) : nil
        let maxInputs = Self.maxInputs(axis)
        inputs = ScratchRows(rows: 6, count: maxInputs + AVX512Taps.padding)
        pixels = .allocate(capacity: maxInputs + 8)
        pixels.initialize(repeating: .zero, count: maxInputs + 8)
        results = .allocate(capacity: Tile.width)
        results.initialize(repeating: .zero, count: Tile.width)
    }

    deinit {
        pixels.deallocate()
        results.deallocate()
    }

    /// Input columns of a range of output columns, from the start of a cache line.
    func inputs(of outputs: Range<Int>) -> Range<Int> { Self.inputs(axis, outputs) }

    private static func inputs(_ axis: ResampleAxis, _ outputs: Range<Int>) -> Range<Int> {
        let (first, last) = (Int(axis.starts[outputs.lowerBound]), Int(axis.starts[outputs.upperBound - 1]))
        return first & ~15..<last + axis.taps
    }

    private static func maxInputs(_ axis: ResampleAxis) -> Int {
        (0..<axis.output).map { inputs(axis, $0..<min($0 + Tile.width, axis.output)).count }.max() ?? 0
    }

    /// Buffer for row 0 or 1 of the input columns.
    func input(_ row: Int) -> PlanarRow {
        PlanarRow(red: inputs.row(3 * row), green: inputs.row(3 * row + 1), blue: inputs.row(3 * row + 2))
    }

    /// Filters both rows into `outputs`, at most a tile's columns. `lead` is 1 if the first square starts one column
    /// before the range; the value there is meaningless.
    func filter(_ range: Range<Int>, lead: Int) {
        let columns = inputs(of: range)
        if filterAVX512(range, columns, lead: lead) { return }
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

    /// False, without effect, on another path.
    private func filterAVX512(_ range: Range<Int>, _ columns: Range<Int>, lead: Int) -> Bool {
        guard let avx512 else { return false }
        avx512.filter(
            range, inputs.row(0) - columns.lowerBound, stride: inputs.row(1) - inputs.row(0), into: outputs.row(0),
            stride: outputs.row(1) - outputs.row(0), beginsRight: lead == 1)
        return true
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

    /// Interleaves the planes of both rows, four columns at a time. Rows and pixels are padded.
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

    /// Writes one corner's pixels to planes. In a common loop, the compiler would split the filter's vectors.
    private func split(_ corner: Int, squares: Int) {
        // A square is four vectors of four: the left corners of both rows, then the right ones.
        let index = (corner & 1) * 2 + corner >> 1
        let pixels = UnsafeRawPointer(results).assumingMemoryBound(to: SIMD4<Float>.self) + index
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
