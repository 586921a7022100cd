import Pixels

/// Mean of a picture along a line around each pixel, as from a camera that moves during the exposure.
///
/// The line is divided into steps of one pixel along its longer direction. Across it, a step lies between two pixels,
/// which are weighted in proportion. The ends are weighted by the covered part. The picture is constant beyond its
/// edges. All sums have one order, so that the result does not depend on bands or processors.
package struct LineBlur: Sendable {
    /// A weighted pixel, by its distance.
    private struct Tap {
        let x: Int
        let y: Int
        let weight: Float
    }

    /// Adjacent pixels of a row with equal weights. Their sum is built from sums of 1, 2, 4, … pixels, each from two of
    /// the half: a few additions for any length.
    private struct Run {
        let x: Int
        let y: Int
        let count: Int
        let weight: Float
    }

    /// Maximum length of half a line, in pixels.
    package static let maxRadius = 400.0
    /// Shorter runs are added pixel by pixel.
    private static let minRun = 8
    private let taps: [Tap]
    private let runs: [Run]
    /// Pixels read on each side.
    let columns: Int
    /// Rows read above, and below.
    let rows: Int

    /// Nil for a line that is too long or has no length. `x` and `y` are half the line, in columns, and rows downwards.
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
            // In 256ths, so that an angle close to the rows costs no more than the rows' own.
            let far = ((across - near) * 256).rounded() / 256
            for (offset, weight) in [(Int(near), share * (1 - far)), (Int(near) + 1, share * far)] where weight > 0 {
                taps.append(
                    isFlat
                        ? Tap(x: step, y: offset, weight: Float(weight))
                        : Tap(x: offset, y: step, weight: Float(weight)))
            }
        }
        let sum = taps.reduce(0) { $0 + $1.weight }
        (self.taps, runs) = Self.runs(
            taps.map { Tap(x: $0.x, y: $0.y, weight: $0.weight / sum) }
                .sorted { ($0.y, $0.x) < ($1.y, $1.x) })
        columns = taps.map { abs($0.x) }.max() ?? 0
        rows = taps.map { abs($0.y) }.max() ?? 0
    }

    /// Splits taps, row by row, into single ones and runs.
    private static func runs(_ taps: [Tap]) -> ([Tap], [Run]) {
        var (single, runs): ([Tap], [Run]) = ([], [])
        var start = 0
        while start < taps.count {
            let first = taps[start]
            var end = start + 1
            while end < taps.count, taps[end].y == first.y, taps[end].x == first.x + end - start,
                taps[end].weight == first.weight
            {
                end += 1
            }
            if end - start < minRun {
                single += taps[start..<end]
            } else {
                runs.append(Run(x: first.x, y: first.y, count: end - start, weight: first.weight))
            }
            start = end
        }
        return (single, runs)
    }

    /// Columns at a time: a row of results stays in the first-level cache.
    private static let block = 1024
    /// Maximum pixels read for a block.
    private static let maxRead = block + 2 * Int(maxRadius) + 1

    /// Blurs one channel of a row. `plane` returns the channel of the row at a distance, `columns` values longer at
    /// both ends.
    func apply(into result: UnsafeMutablePointer<Float>, count: Int, _ plane: (Int) -> UnsafeMutablePointer<Float>) {
        for start in stride(from: 0, to: count, by: Self.block) {
            let length = min(Self.block, count - start)
            let sums = result + start
            add(taps, to: sums, length) { UnsafePointer(plane($0.y)) + start + $0.x }
            guard !runs.isEmpty else { continue }
            withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.block + 2 * Self.maxRead) {
                guard let scratch = $0.baseAddress else { return }
                for run in runs {
                    add(run, UnsafePointer(plane(run.y)) + start + run.x, to: sums, length, scratch: scratch)
                }
            }
        }
    }

    @inline(__always)
    private func add(
        _ taps: [Tap], to sums: UnsafeMutablePointer<Float>, _ length: Int, source: (Tap) -> UnsafePointer<Float>
    ) {
        guard let first = taps.first else { return sums.update(repeating: 0, count: length) }
        let (a, p) = (source(first), first.weight)
        for x in 0..<length { sums[x] = a[x] * p }
        var index = 1
        while index + 4 <= taps.count {
            let (a, b) = (source(taps[index]), source(taps[index + 1]))
            let (c, d) = (source(taps[index + 2]), source(taps[index + 3]))
            let (p, q) = (taps[index].weight, taps[index + 1].weight)
            let (r, s) = (taps[index + 2].weight, taps[index + 3].weight)
            for x in 0..<length { sums[x] += (a[x] * p + b[x] * q) + (c[x] * r + d[x] * s) }
            index += 4
        }
        while index < taps.count {
            let (a, p) = (source(taps[index]), taps[index].weight)
            for x in 0..<length { sums[x] += a[x] * p }
            index += 1
        }
    }

    /// Adds a run's pixels to sums. `source` is the run's pixel of the first sum, from which `length + run.count - 1`
    /// are readable. The scratch has `block` values and twice `maxRead`.
    private func add(
        _ run: Run, _ source: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>, _ length: Int,
        scratch: UnsafeMutablePointer<Float>
    ) {
        let total = scratch
        // Alternating buffers, because a loop that writes where it reads is slow.
        var (doubled, other) = (scratch + Self.block, scratch + Self.block + Self.maxRead)
        // Sums of `size` pixels, and the run's sums of the first `done` pixels, start at `source[0]`.
        var (size, done, source) = (1, 0, source)
        while true {
            if run.count & size != 0 {
                let next = source + done
                if done == 0 {
                    for x in 0..<length { total[x] = next[x] }
                } else {
                    for x in 0..<length { total[x] += next[x] }
                }
                done += size
            }
            guard run.count >= 2 * size else { break }
            let (from, ahead, to) = (source, source + size, doubled)
            for x in 0..<length + run.count - 2 * size { to[x] = from[x] + ahead[x] }
            source = UnsafePointer(doubled)
            swap(&doubled, &other)
            size *= 2
        }
        let weight = run.weight
        for x in 0..<length { sums[x] += total[x] * weight }
    }
}
