/// A tile's samples of eight bits, each of which stands for the entry of a table.
public struct MappedSamples {
    private static let entries = 256

    private let tables: [[UInt16]]
    private let rowSamples: Int

    /// - Parameters:
    ///   - tables: of 256 entries: one, or three of which each row's first sample is by the first, its next one by the next,
    ///     and so on. None where samples stand for themselves.
    ///   - rowSamples: samples of a row.
    /// - Returns: nil for other tables, and for rows that have no whole pixels.
    public init?(by tables: [[UInt16]], rowSamples: Int) {
        guard rowSamples > 0, [0, 1, 3].contains(tables.count), rowSamples % max(tables.count, 1) == 0,
            tables.allSatisfy({ $0.count == Self.entries })
        else { return nil }
        self.tables = tables.dropFirst().allSatisfy { $0 == tables[0] } ? Array(tables.prefix(1)) : tables
        self.rowSamples = rowSamples
    }

    /// Writes what the samples stand for to their places. Other threads see them after `StreamingStores.fence()`.
    ///
    /// - Parameters:
    ///   - samples: row by row, at least those of the whole target.
    ///   - target: has whole rows.
    /// - Returns: false, and nothing is written, where there are too few samples or half rows.
    public func unpack(_ samples: [UInt8], to target: SliceTarget) -> Bool {
        guard target.sampleCount <= samples.count, target.sampleCount % rowSamples == 0 else { return false }
        // A row stays in the first cache until it is copied to its place.
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
