import Pixels

/// Averages squares of 2ᵏ × 2ᵏ pixels, row by row, into whole pixels; k = 0 only changes the form.
///
/// Where the picture ends inside a square, its last column and row repeat.
final class BoxReduction {
    private let shift: Int
    private let width: Int
    private let height: Int
    /// Sums of the square's rows, columns already summed.
    private let sums: RowStore
    private let outputWidth: Int

    init(shift: Int, width: Int, height: Int, outputWidth: Int) {
        self.shift = shift
        self.width = width
        self.height = height
        self.outputWidth = outputWidth
        sums = RowStore(rows: 6, count: max(outputWidth << max(shift - 1, 0), 1) + 1)
    }

    /// Takes row `y` and, where it ends a row of squares, writes `result` and returns true.
    func take(_ y: Int, _ rows: SceneRows, into result: UnsafeMutablePointer<SIMD4<Float>>) -> Bool {
        let row = rows.row(y)
        if shift == 0 {
            Self.join(row.red, row.green, row.blue, 1, into: result, count: outputWidth)
            return true
        }
        let isLast = y == height - 1
        guard y & 1 == 1 || isLast else { return false }
        addPair(y & 1 == 1 ? rows.row(y - 1) : row, row, first: (y & mask) >> 1 == 0)
        guard y & mask == mask || isLast else { return false }
        // The pairs that the picture has no rows for.
        for _ in ((y & mask) >> 1)..<(mask >> 1) { addPair(row, row, first: false) }
        finish(into: result)
        return true
    }

    private var mask: Int { (1 << shift) - 1 }

    /// Adds squares of 2 × 2 of two rows to the sums.
    private func addPair(_ upper: PixelRow, _ lower: PixelRow, first: Bool) {
        let pairs = [(upper.red, lower.red), (upper.green, lower.green), (upper.blue, lower.blue)]
        for (channel, (a, b)) in pairs.enumerated() {
            let sum = sums.row(channel)
            let whole = width / 2
            if first {
                for x in 0..<whole { sum[x] = (a[2 * x] + a[2 * x + 1]) + (b[2 * x] + b[2 * x + 1]) }
            } else {
                for x in 0..<whole { sum[x] += (a[2 * x] + a[2 * x + 1]) + (b[2 * x] + b[2 * x + 1]) }
            }
            let end = (a[width - 1] + b[width - 1]) * 2
            for x in whole..<(outputWidth << (shift - 1)) { sum[x] = first ? end : sum[x] + end }
        }
    }

    private func finish(into result: UnsafeMutablePointer<SIMD4<Float>>) {
        var count = outputWidth << (shift - 1)
        for _ in 1..<shift {
            count /= 2
            for channel in 0..<3 {
                // Reading runs ahead of writing.
                let sum = sums.row(channel)
                for x in 0..<count { sum[x] = sum[2 * x] + sum[2 * x + 1] }
            }
        }
        let scale = Float(1) / Float(1 << (2 * shift))
        Self.join(sums.row(0), sums.row(1), sums.row(2), scale, into: result, count: count)
    }

    private static func join(
        _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ scale: Float,
        into result: UnsafeMutablePointer<SIMD4<Float>>, count: Int
    ) {
        for x in 0..<count { result[x] = SIMD4(red[x], green[x], blue[x], 0) * scale }
    }
}
