/// Layout of a tile: byte ranges of its codes, and its position among tiles.
public struct CRXTile: Hashable, Sendable {
    /// Codes of one band of one plane.
    public struct Band: Hashable, Sendable {
        /// Range in the tile's bytes; empty if all coefficients are zero.
        public let bytes: Range<Int>
        /// Quantisation step, a factor of all coefficients.
        public let step: Int32

        /// Unchecked; `CRXSamples` checks.
        public init(bytes: Range<Int>, step: Int32) {
            self.bytes = bytes
            self.step = step
        }
    }

    /// Bands by plane, from the smallest: 1 band, plus 3 per level.
    public let planes: [[Band]]
    /// Whether the first band is predicted from neighbours; otherwise it is sparse.
    public let isPredicted: Bool
    /// Whether there is a tile to the left.
    public let hasLeftNeighbour: Bool
    /// Whether there is a tile to the right.
    public let hasRightNeighbour: Bool

    /// Unchecked; `CRXSamples` checks.
    public init(planes: [[Band]], isPredicted: Bool, hasLeftNeighbour: Bool, hasRightNeighbour: Bool) {
        self.planes = planes
        self.isPredicted = isPredicted
        self.hasLeftNeighbour = hasLeftNeighbour
        self.hasRightNeighbour = hasRightNeighbour
    }

    /// Columns of one level's bands and joined rows.
    struct Columns {
        let joined: Int
        let low: Int
        let high: Int
    }

    /// Columns by level, from the smallest.
    ///
    /// Next to another tile, bands contain the extra columns that the filter needs: one high column on the left, and
    /// columns up to a low one on the right.
    func columns(width: Int, levels: Int) -> [Columns] {
        var columns: [Columns] = []
        var joined = width
        for level in (0..<levels).reversed() {
            var low = (joined + 1) / 2
            var high = joined / 2
            if hasRightNeighbour {
                high = joined / 2 + 1
                low = high
                if level > 0, low % 2 == 0 { low += 1 }
            }
            columns.insert(Columns(joined: joined, low: low, high: high + (hasLeftNeighbour ? 1 : 0)), at: 0)
            joined = low
        }
        return columns
    }
}
