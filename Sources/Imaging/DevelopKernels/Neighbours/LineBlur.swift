import Pixels

/// The mean of a picture along a line around each pixel: what a camera sees that moves while its shutter is open.
///
/// The line is cut into steps of one pixel along its longer direction. Across it, a step lies between two pixels, which it
/// takes in proportion. Those at the ends count as much as the line covers of them. Beyond its edges the picture goes on as
/// it ends. All sums have one order, so that no band and no processor makes a difference.
package struct LineBlur: Sendable {
    /// A pixel that counts, by its distance.
    private struct Tap {
        let x: Int
        let y: Int
        let weight: Float
    }

    /// Half a line is never longer, in pixels.
    package static let maxRadius = 400.0
    private let taps: [Tap]
    /// Pixels read at either side.
    let columns: Int
    /// Rows read above, and below.
    let rows: Int

    /// Nil for a line that is too long, or has no length.
    ///
    /// - Parameters:
    ///   - x: half the line, in columns.
    ///   - y: half the line, in rows, downwards.
    package init?(x: Double, y: Double) {
        guard (x * x + y * y).squareRoot() <= Self.maxRadius else { return nil }
        let isFlat = abs(x) >= abs(y)
        let (half, slope) = isFlat ? (abs(x), x == 0 ? 0 : y / x) : (abs(y), x / y)
        var taps: [Tap] = []
        let count = Int((half + 0.5).rounded(.up)) - 1
        for step in -count...count {
            let share = min(half + 0.5 - abs(Double(step)), 1)
            let across = Double(step) * slope
            let near = across.rounded(.down)
            // In 256ths: an angle that is nearly that of the rows costs no more than theirs.
            let far = ((across - near) * 256).rounded() / 256
            for (offset, weight) in [(Int(near), share * (1 - far)), (Int(near) + 1, share * far)] where weight > 0 {
                taps.append(
                    isFlat
                        ? Tap(x: step, y: offset, weight: Float(weight))
                        : Tap(x: offset, y: step, weight: Float(weight)))
            }
        }
        let sum = taps.reduce(0) { $0 + $1.weight }
        self.taps =
            taps.map { Tap(x: $0.x, y: $0.y, weight: $0.weight / sum) }
            .sorted { ($0.y, $0.x) < ($1.y, $1.x) }
        columns = taps.map { abs($0.x) }.max() ?? 0
        rows = taps.map { abs($0.y) }.max() ?? 0
    }

    /// Columns at a time: a row of results stays in the first cache.
    private static let block = 1024

    /// Blurs one channel of a row.
    ///
    /// - Parameters:
    ///   - result: `count` values.
    ///   - plane: the channel of the row at a distance, `columns` values longer at both ends.
    func apply(into result: UnsafeMutablePointer<Float>, count: Int, _ plane: (Int) -> UnsafeMutablePointer<Float>) {
        for start in stride(from: 0, to: count, by: Self.block) {
            let length = min(Self.block, count - start)
            let sums = result + start
            func source(_ index: Int) -> UnsafePointer<Float> {
                UnsafePointer(plane(taps[index].y)) + start + taps[index].x
            }
            let first = (source(0), taps[0].weight)
            for x in 0..<length { sums[x] = first.0[x] * first.1 }
            var index = 1
            while index + 4 <= taps.count {
                let (a, b, c, d) = (source(index), source(index + 1), source(index + 2), source(index + 3))
                let (p, q) = (taps[index].weight, taps[index + 1].weight)
                let (r, s) = (taps[index + 2].weight, taps[index + 3].weight)
                for x in 0..<length { sums[x] += (a[x] * p + b[x] * q) + (c[x] * r + d[x] * s) }
                index += 4
            }
            while index < taps.count {
                let (a, p) = (source(index), taps[index].weight)
                for x in 0..<length { sums[x] += a[x] * p }
                index += 1
            }
        }
    }
}
