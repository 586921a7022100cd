internal import PixelKernels

/// Huffman-coded differences to the sample two columns to the left, in one stream: Nikon's compressed NEF, where a
/// curve maps the sums, and Pentax's PEF (dcraw, D. Coffin, `nikon_load_raw` and `pentax_load_raw`).
///
/// The first two samples of a row are predicted from the row two above.
public struct RowPairSamples {
    /// Entries of the curve.
    public static let curveCount = 1 << 14

    private let bytes: UnsafeRawBufferPointer
    private let tables: [DifferenceTable]
    private let split: Int
    private let start: SIMD4<UInt16>
    private let limit: Int
    /// Nil if sums are samples.
    private let curve: [UInt16]?
    private let target: SliceTarget
    private let slice: PlaneSlice

    /// Proves that rows lie inside the plane and hold pairs of samples, and that each part has a table.
    ///
    /// - Parameters:
    ///   - bytes: the stream and everything after it; must stay valid until `unpack()` returns.
    ///   - tables: Huffman tables before `split` and from it on.
    ///   - split: first row of the second table; the height if there is none.
    ///   - start: predictions of the first two samples of rows 0 and 1.
    ///   - limit: exclusive upper bound of sums. From `split` on, sums may exceed the range by up to 16 on either side.
    ///   - curve: `curveCount` entries; nil if sums are samples, which requires `split` to be the height.
    ///   - target: one slice of whole rows.
    public init?(
        _ bytes: UnsafeRawBufferPointer, tables: [DifferenceTable], split: Int, start: SIMD4<UInt16>, limit: Int,
        curve: [UInt16]?, target: SliceTarget
    ) {
        guard target.slices.count == 1, let slice = target.slices.first,
            curve.map({ $0.count == Self.curveCount }) ?? (split == slice.height),
            slice.width % 2 == 0, target.visibleCount(slice.width, x: slice.x) == slice.width,
            (1...Self.curveCount).contains(limit), (0...slice.height).contains(split), tables.count == 2
        else { return nil }
        self.bytes = bytes
        self.tables = tables
        self.split = split
        self.start = start
        self.limit = limit
        self.curve = curve
        self.target = target
        self.slice = slice
    }

    /// Writes all samples to the target. Other threads see them after `StreamingStores.fence()`.
    ///
    /// - Returns: false if the data is damaged: a sum out of range, or too few bits.
    public func unpack() -> Bool {
        var data = EntropyData()
        data.loadPlain(bytes, slack: DifferenceStream.slack)
        var rows = Rows(start: start)
        let isPlain = curve.map { curve in curve[..<limit].indices.allSatisfy { Int(curve[$0]) == $0 } } ?? true
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: slice.width) { row in
            (curve ?? [0]).withUnsafeBufferPointer { curve in
                guard let row = row.baseAddress, let curve = curve.baseAddress else { return false }
                var position: UInt64 = 0
                for (part, range) in [0..<split, split..<slice.height].enumerated() where !range.isEmpty {
                    var stream = DifferenceStream(
                        data, tables[part], count: range.count * slice.width, at: position)
                    let below: UInt16 = part == 0 ? 0 : 16
                    for y in range {
                        guard stream.read(slice.width, into: row) else { return false }
                        let greatest = rows.addUp(row, slice.width, y, below: below)
                        guard Int(greatest) < limit + 2 * Int(below) else { return false }
                        if !isPlain || part > 0 { Self.lookUp(row, slice.width, curve) }
                        StreamingStores.copy(
                            row, to: target.row(slice.y + y) + slice.x,
                            byteCount: slice.width * MemoryLayout<UInt16>.stride)
                    }
                    guard !stream.isBeyondEnd else { return false }
                    position = stream.position
                }
                return true
            }
        }
    }

    /// Predictions at row starts.
    private struct Rows {
        /// Even rows, then odd rows.
        var start: SIMD4<UInt16>

        /// Returns the greatest sum plus `below`, modulo 2¹⁶.
        @inline(__always)
        mutating func addUp(
            _ row: UnsafeMutablePointer<UInt16>, _ count: Int, _ y: Int, below: UInt16
        ) -> UInt16 {
            let place = 2 * (y & 1)
            var (first, second) = (start[place], start[place + 1])
            var greatest: UInt16 = 0
            for x in stride(from: 0, to: count, by: 2) {
                first &+= row[x]
                second &+= row[x + 1]
                row[x] = first
                row[x + 1] = second
                greatest = max(greatest, max(first &+ below, second &+ below))
                if x == 0 { (start[place], start[place + 1]) = (first, second) }
            }
            return greatest
        }
    }

    /// Clamps sums to the curve: below 0 to its first entry, above its end to its last.
    private static func lookUp(
        _ row: UnsafeMutablePointer<UInt16>, _ count: Int, _ curve: UnsafePointer<UInt16>
    ) {
        for x in 0..<count {
            let index = min(max(Int(Int16(bitPattern: row[x])), 0), curveCount - 1)
            row[x] = curve[index]
        }
    }
}
