import Pixels

/// All that is needed to render with a table in one pass.
struct TableRendering: Sendable {
    let places: TablePlaces
    let cells: TableCells
}
