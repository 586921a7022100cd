import PictureFormat
import Pixels

/// Factors of a sensor's samples (`SampleGain`), a row at a time.
struct GainRows {
    /// Samples of a row that are `step` columns apart.
    struct Columns {
        /// In the plane's pixels. May be -1, one pixel before the plane, whose factor is not used.
        let first: Int
        let step: Int
        let count: Int

        /// Index of the first sample at or after column `x`, 0…count.
        fileprivate func index(atOrAfter x: Int) -> Int { min(max((x - first + step - 1) / step, 0), count) }
    }

    private let gains: [SampleGain]

    init?(_ gains: [SampleGain]) {
        guard !gains.isEmpty else { return nil }
        self.gains = gains
    }

    /// Writes the factors of a row's samples, all of one channel, and returns an upper bound.
    func fill(_ row: UnsafeMutablePointer<Float>, _ columns: Columns, y: Int, channel: Int) -> Float {
        row.update(repeating: 1, count: columns.count)
        var bound: Float = 1
        for gain in gains where gain.channels.contains(channel) && gain.area.containsRow(y) {
            let greatest = multiply(row, columns, y, channel, by: gain)
            bound *= greatest > 1 ? greatest : 1
        }
        return bound
    }

    /// Returns an upper bound of the gain's factors in this row.
    private func multiply(
        _ row: UnsafeMutablePointer<Float>, _ columns: Columns, _ y: Int, _ channel: Int, by gain: SampleGain
    ) -> Float {
        let rect = gain.area.rect
        let range = columns.index(atOrAfter: rect.x)..<columns.index(atOrAfter: rect.x + rect.size.width)
        let pitch = gain.area.columnPitch
        guard columns.step % pitch == 0 else {
            for index in range {
                row[index] *= gain.factor(x: columns.first + index * columns.step, y: y, channel: channel)
            }
            return RadialGain.range.upperBound
        }
        guard !range.isEmpty, (columns.first + range.lowerBound * columns.step - rect.x) % pitch == 0 else { return 1 }
        switch gain.factor {
        case .map(let map): return Self.multiply(row, columns, range, y, channel, by: map)
        case .radial(let radial): return Self.multiply(row, columns, range, y, by: radial)
        case .rows(let factors):
            let factor = factors[(y - rect.y) / gain.area.rowPitch]
            for index in range { row[index] *= factor }
            return factor
        case .columns(let factors):
            for index in range { row[index] *= factors[(columns.first + index * columns.step - rect.x) / pitch] }
            return factors.max() ?? 1
        }
    }

    /// Interpolates between rows of the map once, and between its columns piece by piece.
    private static func multiply(
        _ row: UnsafeMutablePointer<Float>, _ columns: Columns, _ range: Range<Int>, _ y: Int, _ channel: Int,
        by map: GainMap
    ) -> Float {
        let axis = map.horizontal
        let (point, share) = map.vertical.position(y)
        let next = min(point + 1, map.vertical.count - 1)
        return map.factors.withUnsafeBufferPointer { factors in
            func column(_ index: Int) -> Float {
                let upper = factors[(point * axis.count + index) * map.planes + map.plane(channel)]
                let lower = factors[(next * axis.count + index) * map.planes + map.plane(channel)]
                return upper + (lower - upper) * share
            }
            var start = range.lowerBound
            var bound: Float = 0
            while start < range.upperBound {
                let x = columns.first + start * columns.step
                let (point, share) = axis.position(x)
                let isBefore = Float(x) < axis.origin
                let isLast = Float(x) >= axis.origin + Float(axis.count - 1) * axis.spacing
                // The factor is constant beyond the outermost points.
                let (first, second) = (column(point), column(min(point + 1, axis.count - 1)))
                let slope = isBefore || isLast ? 0 : (second - first) / axis.spacing * Float(columns.step)
                let value = first + (second - first) * share
                let border = axis.origin + (isBefore ? 0 : Float(point + 1) * axis.spacing)
                let end = isLast ? range.upperBound : columns.index(atOrAfter: Int(border.rounded(.up)))
                let count = max(min(end, range.upperBound), start + 1) - start
                let piece = row + start
                for index in 0..<count { piece[index] *= value + slope * Float(Int32(truncatingIfNeeded: index)) }
                bound = max(bound, max(first, second))
                start += count
            }
            return bound
        }
    }

    private static func multiply(
        _ row: UnsafeMutablePointer<Float>, _ columns: Columns, _ range: Range<Int>, _ y: Int, by gain: RadialGain
    ) -> Float {
        let (a, b, c, d, e) = (
            gain.coefficients[0], gain.coefficients[1], gain.coefficients[2], gain.coefficients[3], gain.coefficients[4]
        )
        let (least, most) = (RadialGain.range.lowerBound, RadialGain.range.upperBound)
        let down = Float(y) - gain.centreY
        let (downSquare, inverseSquare, step) = (down * down, gain.inverseSquare, Float(columns.step))
        let first = Float(columns.first + range.lowerBound * columns.step) - gain.centreX
        let piece = row + range.lowerBound
        func multiply(_ factor: (Float) -> Float) {
            for index in 0..<range.count {
                let across = first + step * Float(Int32(truncatingIfNeeded: index))
                let square = (across * across + downSquare) * inverseSquare
                let factor = factor(1 + square * (a + square * (b + square * (c + square * (d + square * e)))))
                // NaN becomes the lowest factor.
                let positive = factor > least ? factor : least
                piece[index] *= positive < most ? positive : most
            }
        }
        if gain.isReciprocal { multiply { 1 / $0 } } else { multiply { $0 } }
        return gain.greatest
    }
}
