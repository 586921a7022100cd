/// Where a tile's codes are, and how they become samples.
public struct CRXTile: Hashable, Sendable {
    /// The codes of one band of one plane.
    public struct Band: Hashable, Sendable {
        /// Of the tile's bytes; empty where all numbers are zero.
        public let bytes: Range<Int>
        /// What numbers are multiplied by.
        public let step: Int32

        /// Any numbers may be given: `CRXSamples` judges them.
        public init(bytes: Range<Int>, step: Int32) {
            self.bytes = bytes
            self.step = step
        }
    }

    /// By plane, from the smallest band on: 1 band, and 3 for each level.
    public let planes: [[Band]]
    /// Whether the first band's numbers resemble their neighbours; else most of them are zero.
    public let isPredicted: Bool
    /// Whether another tile is on the left.
    public let hasLeftNeighbour: Bool
    /// Whether another tile is on the right.
    public let hasRightNeighbour: Bool

    /// Any numbers may be given: `CRXSamples` judges them.
    public init(planes: [[Band]], isPredicted: Bool, hasLeftNeighbour: Bool, hasRightNeighbour: Bool) {
        self.planes = planes
        self.isPredicted = isPredicted
        self.hasLeftNeighbour = hasLeftNeighbour
        self.hasRightNeighbour = hasRightNeighbour
    }

    /// Columns of one level's bands, and of what they become.
    struct Columns {
        let joined: Int
        let low: Int
        let high: Int
    }

    /// From the smallest level on.
    ///
    /// A tile with a neighbour has in its bands what the filters need of it: a high column more on its left side, and on its
    /// right side columns up to a low one.
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
