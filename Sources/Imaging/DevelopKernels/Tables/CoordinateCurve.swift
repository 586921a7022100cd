internal import CAVX512

/// A curve from linear light to a 16-bit coordinate along an edge of a three-dimensional LUT: an entry for each index
/// of light (`LightLUTIndex`), and, if the curve is smooth, the same values as piecewise cubics, which AVX-512
/// evaluates faster than it looks values up. Neither that choice nor any value depends on the processor.
///
/// `@unchecked Sendable`: the memory is written only in `init`, and freed with the curve.
package final class CoordinateCurve: @unchecked Sendable {
    /// Cubics with exactly the curve's values: 32 starts, slopes, bends and twists, one table after the other.
    package struct Cubics {
        static let tableCount = 4 * 32
        let tables: [UInt16]
        /// Index from which the curve is level.
        let last: UInt16

        /// Proves that there are four tables of 32 numbers, and that the last index lies in a piece: nil otherwise.
        package init?(tables: [UInt16], last: Int) {
            guard tables.count == Self.tableCount, (0..<32 * 256).contains(last) else { return nil }
            self.tables = tables
            self.last = UInt16(last)
        }
    }

    /// Exclusive bound of values, at most 65,536.
    let end: Int
    private let entries: UnsafeMutablePointer<UInt16>
    /// Tables of the cubics, which follow the entries; nil if the curve is not smooth.
    private let cubics: UnsafeMutablePointer<UInt16>?
    private let last: UInt16

    /// Proves that there is a value for each index of light, and that all are below `end`: nil otherwise. `cubics` is
    /// nil if the curve is not smooth.
    package init?(_ values: [UInt16], cubics: Cubics?, end: Int) {
        guard values.count == LightLUTIndex.count, values.allSatisfy({ Int($0) < end }) else { return nil }
        let tables = cubics?.tables ?? []
        self.end = end
        entries = .allocate(capacity: values.count + tables.count)
        for (i, number) in (values + tables).enumerated() { entries[i] = number }
        self.cubics = cubics == nil ? nil : entries + values.count
        last = cubics?.last ?? 0
    }

    deinit { entries.deallocate() }

    /// The cubics for AVX-512, valid while the curve lives; nil if the curve is not smooth.
    var avx512: RawmillCoordinateCurve? { cubics.map { RawmillCoordinateCurve(pieces: $0, last: last) } }

    /// Maps `count` amounts of light, none negative.
    func map(_ light: UnsafePointer<Float>, into values: UnsafeMutablePointer<UInt16>, count: Int) {
        let entries = UnsafePointer(entries)
        LightLUTIndex.find(light, values, count)
        for x in 0..<count { values[x] = entries[Int(values[x])] }
    }
}
