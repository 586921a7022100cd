internal import CAVX512

/// A curve over light whose values have 16 bits: as cubics where it is smooth, else entry by entry. What does not depend
/// on the processor is which of the two it is, and every value.
///
/// Unchecked because of the pointers: what they point to is written once, in `init`, and freed with the curve.
final class PlaceCurve: @unchecked Sendable {
    private let entries: UnsafeMutablePointer<UInt16>
    /// The tables of the cubics behind the entries; nil where the curve is not smooth.
    private let pieces: UnsafeMutablePointer<UInt16>?
    private let last: UInt16

    /// - Parameters:
    ///   - curve: the value at each index of light, from 0 to below `end`.
    ///   - end: at most 65,536.
    init(_ curve: [Float], end: Int) {
        let cubics = CubicPieces(curve, end: end)
        let tables = cubics?.tables ?? []
        entries = .allocate(capacity: LightIndex.count + tables.count)
        for i in 0..<LightIndex.count { entries[i] = cubics?[i] ?? UInt16(curve[i].rounded()) }
        for (i, number) in tables.enumerated() { entries[LightIndex.count + i] = number }
        pieces = cubics == nil ? nil : entries + LightIndex.count
        last = UInt16(cubics?.last ?? 0)
    }

    deinit { entries.deallocate() }

    /// For processors with wide vectors; nil where the curve is not smooth.
    var wide: RawmillCurve? { pieces.map { RawmillCurve(pieces: $0, last: last) } }

    /// The values of `count` amounts of light, none negative.
    func map(_ light: UnsafePointer<Float>, into values: UnsafeMutablePointer<UInt16>, count: Int) {
        let entries = UnsafePointer(entries)
        LightIndex.find(light, values, count)
        for x in 0..<count { values[x] = entries[Int(values[x])] }
    }
}
