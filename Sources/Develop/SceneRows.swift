import Pixels

/// The last few rows of a picture in light, as a ring: what a source writes and the sinks read.
final class SceneRows {
    /// A source writes two rows at a time and a sink looks back by one.
    private static let depth = 4

    let width: Int
    private let store: RowStore

    init(width: Int) {
        self.width = width
        store = RowStore(rows: 3 * Self.depth, count: width)
    }

    /// Row `y`, which may be one before the first or after the last of the picture. Each pointer may be written from
    /// -`RowStore.margin` to `count + RowStore.margin`.
    @inline(__always)
    func row(_ y: Int) -> PixelRow {
        let slot = 3 * (y & (Self.depth - 1))
        return PixelRow(
            red: store.row(slot), green: store.row(slot + 1), blue: store.row(slot + 2), count: width, x: 0, y: y)
    }
}

/// Gives a picture's rows in camera colour, white-balanced: 1 is the saturation of the least amplified channel.
protocol RowSource: AnyObject {
    /// The rows hold square roots (`RootCoding`) instead of light.
    var holdsRoots: Bool { get }
    /// The next rows asked for begin at `y`.
    func begin(at y: Int)
    /// Writes row `y` (and perhaps the one after it); rows are asked for in ascending order.
    func produce(_ y: Int, into rows: SceneRows)
}

/// Takes a picture's rows in light.
protocol RowSink: AnyObject {
    /// Row `y` is in the ring; rows come in ascending order.
    func take(_ y: Int, from rows: SceneRows)
    /// All rows were given.
    func finish()
}
