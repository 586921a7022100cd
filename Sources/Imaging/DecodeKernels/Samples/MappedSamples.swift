/// A tile's 8-bit samples, mapped by a table.
public struct MappedSamples {
    private static let entries = 256

    private let tables: [[UInt16]]
    private let rowSamples: Int

    /// - Parameters:
    ///   - tables: one table of 256 entries; or three, which the samples of each row use in turn; or none to keep
    ///     samples.
    ///   - rowSamples: samples of a row.
    /// - Returns: nil for other tables, and for rows that are not whole pixels.
    public init?(by tables: [[UInt16]], rowSamples: Int) {
        guard rowSamples > 0, [0, 1, 3].contains(tables.count), rowSamples % max(tables.count, 1) == 0,
            tables.allSatisfy({ $0.count == Self.entries })
        else { return nil }
        self.tables = tables.dropFirst().allSatisfy { $0 == tables[0] } ? Array(tables.prefix(1)) : tables
        self.rowSamples = rowSamples
    }

    /// Writes the mapped samples to the target. Other threads see them after `StreamingStores.fence()`.
    ///
    /// - Parameters:
    ///   - samples: row by row, at least as many as the target has.
    ///   - target: whole rows.
    /// - Returns: false, without effect, if there are too few samples or incomplete rows.
    public func unpack(_ samples: [UInt8], to target: SliceTarget) -> Bool {
        guard target.sampleCount <= samples.count, target.sampleCount % rowSamples == 0 else { return false }
        // A row stays in the first-level cache until it is copied.
        withUnsafeTemporaryAllocation(of: UInt16.self, capacity: rowSamples) { row in
            Array(tables.joined()).withUnsafeBufferPointer { table in
                samples.withUnsafeBufferPointer { samples in
                    guard let row = row.baseAddress, let start = samples.baseAddress else { return }
                    for first in stride(from: 0, to: target.sampleCount, by: rowSamples) {
                        map(start + first, table, to: row)
                        target.store(row, count: rowSamples, from: first)
                    }
                }
            }
        }
        return true
    }

    @inline(__always)
    private func map(
        _ samples: UnsafePointer<UInt8>, _ table: UnsafeBufferPointer<UInt16>, to row: UnsafeMutablePointer<UInt16>
    ) {
        switch tables.count {
        case 0:
            for x in 0..<rowSamples { row[x] = UInt16(samples[x]) }
        case 1:
            for x in 0..<rowSamples { row[x] = table[Int(samples[x])] }
        default:
            for x in stride(from: 0, to: rowSamples, by: 3) {
                row[x] = table[Int(samples[x])]
                row[x + 1] = table[Self.entries + Int(samples[x + 1])]
                row[x + 2] = table[2 * Self.entries + Int(samples[x + 2])]
            }
        }
    }
}
