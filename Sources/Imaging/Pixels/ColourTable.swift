/// A three-dimensional table of colours as plain numbers: what an effect that is a table says about itself, so that the
/// developer can build it into its own last pass.
///
/// Both sides are display-encoded; between the points holds tetrahedral interpolation.
public final class ColourTable: Sendable {
    /// Points an edge, at least 2.
    public let size: Int
    /// Red, green, blue of each point; red of the input runs fastest.
    public let points: [Float]
    /// Where along its edge a channel's value lies, 0…1; nil where that is the value itself.
    public let position: (@Sendable (_ channel: Int, _ value: Float) -> Float)?

    public init(size: Int, points: [Float], position: (@Sendable (_ channel: Int, _ value: Float) -> Float)? = nil) {
        precondition(size >= 2 && points.count == 3 * size * size * size, "a table has size³ points")
        self.size = size
        self.points = points
        self.position = position
    }
}

/// A table, and how much of it: 0 leaves colours alone, 1 is the whole table.
public struct TableShare: Sendable {
    public let table: ColourTable
    public let share: Float

    public init(_ table: ColourTable, share: Float = 1) {
        self.table = table
        self.share = share
    }
}
