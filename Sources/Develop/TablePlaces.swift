import Pixels

/// From light to the place in a table, by channel: the tone curve, and what the table wants done before it, as positions
/// along an edge in steps of a cell's 2⁻ᵇⁱᵗˢ.
///
/// Unchecked because of the pointer: what it points to is written once, in `init`, and freed with the places.
final class TablePlaces: @unchecked Sendable {
    private let entries: UnsafeMutablePointer<UInt16>
    /// The three channels have entries of their own.
    private let differ: Bool

    init(tone: LightTable, table: ColourTable, cells: TableCells) {
        differ = table.position != nil
        let channels = differ ? 3 : 1
        entries = .allocate(capacity: channels * LightIndex.count)
        let steps = cells.cells << cells.fractionBits
        for channel in 0..<channels {
            for i in 0..<LightIndex.count {
                let position = table.position?(channel, tone[i]) ?? tone[i]
                // The far end counts to the last cell; what is no number becomes 0.
                let held = position > 0 ? min(position, 1) : 0
                let step = min(Int((held * Float(steps)).rounded()), steps - 1)
                entries[channel * LightIndex.count + i] = UInt16(truncatingIfNeeded: step)
            }
        }
    }

    deinit { entries.deallocate() }

    /// The positions of `count` values of light, whose indices are given, in place.
    func fetch(_ indices: UnsafeMutablePointer<UInt16>, channel: Int, count: Int) {
        let entries = UnsafePointer(self.entries + (differ ? channel * LightIndex.count : 0))
        for x in 0..<count { indices[x] = entries[Int(indices[x])] }
    }
}
