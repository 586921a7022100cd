import Pixels

/// A film's effects on light before colours are rendered.
package struct FilmRows: Sendable {
    let halation: HalationRows?
    let grain: GrainRows?

    /// Nil for an effect that the film lacks.
    package init(halation: HalationRows?, grain: GrainRows?) {
        self.halation = halation
        self.grain = grain
    }
}

/// Applies the effects to a band's tiles: halation first, then grain.
struct FilmTiles: ~Copyable {
    private let film: FilmRows
    /// Spread light of the squares of two rows, by channel, and a scratch row.
    private let around: ScratchRows

    init(_ film: FilmRows) {
        self.film = film
        around = ScratchRows(rows: 4, count: max(film.halation?.map.rowCount ?? 0, Tile.squares))
    }

    func prepare(_ y: Int) {
        film.halation?.prepare(y, PlanarRow(red: around.row(0), green: around.row(1), blue: around.row(2)))
    }

    func apply(_ tile: Tile) {
        if let halation = film.halation {
            let first = halation.map.before + (tile.x + 1) / 2
            halation.apply(
                tile,
                PlanarRow(red: around.row(0) + first, green: around.row(1) + first, blue: around.row(2) + first),
                around.row(3))
        }
        film.grain?.apply(tile)
    }
}
