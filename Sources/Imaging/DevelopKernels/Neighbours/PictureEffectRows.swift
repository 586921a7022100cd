import PictureFormat
import Pixels

/// Applies an effect with neighbours to a band's tiles before the outputs: takes tiles of scene light, and passes on
/// tiles of the finished picture's light in the primaries of the effect's display space.
///
/// Rows wait until the rows below that they read are available, so the effect's reach limits memory: a blur of 100
/// pixels keeps 202 rows. A band starts its reach above its rows and ends its reach below them.
final class PictureEffectRows: TileSink {
    /// Input rows, in the sensor's order.
    let inputs: Range<Int>
    private let size: PixelSize
    private let lead: TileLead
    private let effect: PictureEffect
    private let passes: [NeighbourhoodPass]
    /// By pass, the next row to make.
    private var next: [Int]
    /// After the last pass.
    private let last: [NeighbourhoodPass.Operation]
    /// The picture before the first step; nil if it has no weight.
    private let originals: RowRing?
    private let finished: RowRing
    private let target: any TileSink
    private let scratch = ScratchRows(rows: Tile.planes, count: Tile.squares)

    /// Passes on `rows`, in whole pairs.
    init(_ effect: PictureEffect, size: PixelSize, lead: TileLead, rows: Range<Int>, target: any TileSink) {
        self.effect = effect
        self.size = size
        self.lead = lead
        self.target = target
        let first = rows.lowerBound - ((rows.lowerBound + lead.y) & 1)
        let end = rows.upperBound + ((rows.upperBound + lead.y) & 1)
        var outputs = max(first, 0)..<min(end, size.height)
        let (made, last) = NeighbourhoodPass.passes(effect, width: size.width)
        var passes = made
        for index in passes.indices.reversed() {
            passes[index].outputs = outputs
            let reach = passes[index].reach
            outputs = max(outputs.lowerBound - reach, 0)..<min(outputs.upperBound + reach, size.height)
        }
        self.passes = passes
        self.last = last
        inputs = outputs
        next = passes.map(\.outputs.lowerBound)
        let reach = passes.reduce(0) { $0 + $1.reach }
        originals = effect.share < 1 ? RowRing(depth: reach + 2, width: size.width) : nil
        finished = RowRing(depth: 2, width: size.width)
    }

    func take(_ tile: Tile) {
        let result = tile.moved(to: scratch)
        for corner in 0..<4 { effect.rendering.render(tile.corner(corner), into: result.corner(corner)) }
        for y in tile.rows { result.join(y, into: ring(0).row(y)) }
        guard tile.columns.upperBound == size.width else { return }
        for y in tile.rows {
            originals?.copy(y, from: ring(0))
            arrive(y, at: 0)
        }
    }

    func finish() { target.finish() }

    /// The rows that a pass reads, or the finished rows.
    private func ring(_ pass: Int) -> RowRing { pass < passes.count ? passes[pass].ring : finished }

    /// Takes a complete row, and makes the rows that waited for it.
    private func arrive(_ y: Int, at index: Int) {
        guard index < passes.count else { return finish(y) }
        let pass = passes[index]
        for operation in pass.operations { operation.apply(pass.ring.pixels(y)) }
        pass.ring.repeatEnds(y)
        let end = min(y == size.height - 1 ? size.height : y + 1 - pass.reach, pass.outputs.upperBound)
        while next[index] < end {
            let row = next[index]
            next[index] += 1
            pass.make(row, height: size.height, into: ring(index + 1).row(row))
            arrive(row, at: index + 1)
        }
    }

    /// Passes on a pair of rows if this row is its last.
    private func finish(_ y: Int) {
        let row = finished.pixels(y)
        for operation in last { operation.apply(row) }
        if let originals {
            row.approach(originals.row(y), by: 1 - effect.share)
            effect.decode.map(row)
        }
        guard y == size.height - 1 || !(y + lead.y).isMultiple(of: 2) else { return }
        let first = y - ((y + lead.y) & 1)
        for x in stride(from: -lead.x, to: size.width, by: Tile.width) {
            let tile = Tile(in: scratch, x: x, y: first, size: size)
            for y in tile.rows {
                let row = finished.row(y)
                tile.split(
                    PixelRow(
                        red: row.red + x, green: row.green + x, blue: row.blue + x, count: 2 * tile.count, x: x, y: y))
            }
            tile.repeatEdges()
            target.take(tile)
        }
    }
}

extension PixelRow {
    fileprivate func approach(_ other: PlanarRow, by share: Float) {
        for (own, other) in [(red, other.red), (green, other.green), (blue, other.blue)] {
            for x in 0..<count { own[x] += (other[x] - own[x]) * share }
        }
    }
}

extension LightMapping {
    func map(_ row: PixelRow) {
        for plane in [row.red, row.green, row.blue] { map(plane, into: plane, count: row.count) }
    }
}
