import Pixels

/// Three curves as tables, interpolated linearly; values outside the domain are held to its ends.
final class CurveTable: @unchecked Sendable {
    private let size: Int
    private let domain: CubeFile.Domain
    /// Plane by plane, each with its last value twice. Written in `init` only, freed with the table: that guards it.
    private let values: UnsafeMutablePointer<Float>

    init(_ curves: CubeFile.Curves) {
        size = curves.size
        domain = curves.domain
        values = .allocate(capacity: 3 * (size + 1))
        for channel in 0..<3 {
            for i in 0...size { values[channel * (size + 1) + i] = curves.values[3 * min(i, size - 1) + channel] }
        }
    }

    deinit { values.deallocate() }

    func apply(_ row: PixelRow) {
        for (channel, plane) in [row.red, row.green, row.blue].enumerated() {
            for x in 0..<row.count { plane[x] = value(channel, plane[x]) }
        }
    }

    @inline(__always)
    func value(_ channel: Int, _ value: Float) -> Float {
        let low = domain.minimum[channel]
        let top = Float(size - 1)
        let position = (value - low) * (top / (domain.maximum[channel] - low))
        let held = position > 0 ? (position < top ? position : top) : 0
        let index = Int32(held)
        let table = values + channel * (size + 1)
        let left = table[Int(index)]
        return left + (table[Int(index) + 1] - left) * (held - Float(index))
    }
}
