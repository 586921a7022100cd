import PictureFormat
import Pixels

/// Edge-directed interpolation of an X-Trans mosaic, row by row, in cube roots of light (`CubeRootEncoding`).
///
/// 1. Green is estimated along the row and along the column at every red and blue sample (`XTransKernel`).
/// 2. Both estimates are blended by how little the picture changes in each direction.
/// 3. Green minus red, and green minus blue, are averaged with neighbours of the same colour, which sharpens green.
/// 4. Red and blue elsewhere follow from the weighted means of those differences.
final class XTransDemosaic: TileSource {
    /// Rows kept of each estimate, a power of two; of differences twice as many.
    private static let depth = 8

    private let mosaic: XTransRows
    private let highlights: HighlightReconstruction
    private let tables = XTransTables()
    /// By row, as `Estimate` has them: green estimated along and across, their mean, and the activity along and across.
    private let estimates: ScratchRows
    /// By row, as `Difference` has them: the share of the estimate along the row, and the differences of red and blue,
    /// plain and smoothed.
    private let differences: ScratchRows
    /// For each of a pair of rows, the column sums of `XTransDifferenceMean` for red and then for blue.
    private let sums: ScratchRows
    private let scratch = ScratchRows(rows: 3, count: Tile.width)
    /// The row that each step makes next; nil before the first.
    private var next: (load: Int, estimate: Int, activity: Int, difference: Int, refine: Int)?

    private enum Estimate: Int { case along, across, mean, activityAlong, activityAcross }
    private enum Difference: Int { case share, red, blue, smoothRed, smoothBlue }

    init(_ mosaic: XTransRows, highlights: HighlightReconstruction) {
        self.mosaic = mosaic
        self.highlights = highlights
        estimates = ScratchRows(rows: 5 * Self.depth, count: mosaic.count)
        differences = ScratchRows(rows: 5 * Self.depth * 2, count: mosaic.count)
        sums = ScratchRows(rows: 8, count: mosaic.count)
    }

    @inline(__always)
    private func estimate(_ kind: Estimate, _ y: Int) -> UnsafeMutablePointer<Float> {
        estimates.row((y & (Self.depth - 1)) * 5 + kind.rawValue)
    }

    @inline(__always)
    private func difference(_ kind: Difference, _ y: Int) -> UnsafeMutablePointer<Float> {
        differences.row((y & (2 * Self.depth - 1)) * 5 + kind.rawValue)
    }

    func prepare(_ y: Int) {
        var at = next ?? (y - 10, y - 8, y - 7, y - 6, y - 3)
        while at.refine <= y + 4 {
            while at.difference <= at.refine + 3 {
                while at.activity <= at.difference + 1 {
                    while at.estimate <= at.activity + 1 {
                        while at.load <= at.estimate + 2 {
                            mosaic.load(at.load)
                            at.load += 1
                        }
                        makeEstimates(at.estimate)
                        at.estimate += 1
                    }
                    makeActivity(at.activity)
                    at.activity += 1
                }
                makeDifferences(at.difference)
                at.difference += 1
            }
            refine(at.refine)
            at.refine += 1
        }
        next = at
        for row in y...y + 1 {
            addSums(.smoothRed, row, into: (row & 1) * 4, beyond: 3)
            addSums(.smoothBlue, row, into: (row & 1) * 4 + 2, beyond: 3)
        }
    }
}

// MARK: - The steps

extension XTransDemosaic {
    /// Calls a kernel for pieces of a row.
    ///
    /// - Parameter body: is given each piece's first column, that column in the pattern, and the number of columns.
    @inline(__always)
    private func forEachChunk(_ range: Range<Int>, _ body: (_ start: Int, _ column: Int, _ count: Int) -> Void) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: XTransTables.chunk) {
            body(start, mosaic.phase.column(start), min(XTransTables.chunk, range.upperBound - start))
        }
    }

    private func range(beyond samples: Int) -> Range<Int> { -samples..<(mosaic.count + samples) }

    private func makeEstimates(_ y: Int) {
        let patternRow = mosaic.phase.row(y)
        let isCentral = patternRow % 3 == 1
        // The squares' centres lie below the first row of a square and above its last one.
        let down = patternRow % 3 == 0 ? 1 : -1
        forEachChunk(range(beyond: 8)) { start, column, count in
            let red = tables.table(.red, column: column, row: patternRow)
            let blue = tables.table(.blue, column: column, row: patternRow)
            let along = estimate(.along, y) + start
            let across = estimate(.across, y) + start
            func row(_ distance: Int) -> UnsafePointer<Float> { UnsafePointer(mosaic.row(y + distance) + start) }
            if isCentral {
                XTransKernel.estimateCentral(
                    (row(0), row(-1), row(1), row(-2), row(2)), red: red, blue: blue,
                    centreAfter: tables.table(.centreAfter, column: column, row: patternRow), along: along,
                    across: across,
                    count: count)
            } else {
                XTransKernel.estimateFlanked(
                    (row(0), row(down), row(2 * down), row(-2 * down)), red: red, blue: blue, along: along,
                    across: across, count: count)
            }
            XTransKernel.mean(along, across, into: estimate(.mean, y) + start, count: count)
        }
    }

    private func makeActivity(_ y: Int) {
        let own = estimate(.mean, y) - 7
        let count = mosaic.count + 14
        XTransKernel.activity(
            own, before: own - 1, after: own + 1, into: estimate(.activityAlong, y) - 7, count: count)
        XTransKernel.activity(
            own, before: estimate(.mean, y - 1) - 7, after: estimate(.mean, y + 1) - 7,
            into: estimate(.activityAcross, y) - 7, count: count)
    }

    private func makeDifferences(_ y: Int) {
        let share = difference(.share, y)
        func three(_ kind: Estimate) -> (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>) {
            (
                UnsafePointer(estimate(kind, y - 1) - 6), UnsafePointer(estimate(kind, y) - 6),
                UnsafePointer(estimate(kind, y + 1) - 6)
            )
        }
        XTransKernel.share(
            along: three(.activityAlong), across: three(.activityAcross), into: share - 6, count: mosaic.count + 12)
        let row = mosaic.phase.row(y)
        forEachChunk(range(beyond: 6)) { start, column, count in
            XTransKernel.differences(
                own: mosaic.row(y) + start, along: estimate(.along, y) + start, across: estimate(.across, y) + start,
                share: share + start, sites: sites(column, row), red: difference(.red, y) + start,
                blue: difference(.blue, y) + start, count: count)
        }
    }

    private func refine(_ y: Int) {
        addSums(.red, y, into: 0, beyond: 6)
        addSums(.blue, y, into: 2, beyond: 6)
        let row = mosaic.phase.row(y)
        forEachChunk(range(beyond: 3)) { start, column, count in
            let share = difference(.share, y) + start
            let sites = sites(column, row)
            XTransKernel.refine(
                mean(red: true, at: 0, start, column, row), share: share, sites: sites.red,
                into: difference(.smoothRed, y) + start, count: count)
            XTransKernel.refine(
                mean(red: false, at: 2, start, column, row), share: share, sites: sites.blue,
                into: difference(.smoothBlue, y) + start, count: count)
        }
    }

    private func addSums(_ kind: Difference, _ y: Int, into slot: Int, beyond samples: Int) {
        func row(_ distance: Int) -> UnsafePointer<Float> { UnsafePointer(difference(kind, y + distance)) }
        XTransDifferenceMean.add(
            (row(-3), row(-2), row(-1), row(0), row(1), row(2), row(3)), threeRows: sums.row(slot),
            sevenRows: sums.row(slot + 1), range(beyond: samples))
    }

    private func sites(_ column: Int, _ row: Int) -> (red: UnsafePointer<Float>, blue: UnsafePointer<Float>) {
        (tables.table(.red, column: column, row: row), tables.table(.blue, column: column, row: row))
    }

    private func mean(red: Bool, at slot: Int, _ start: Int, _ column: Int, _ row: Int) -> XTransDifferenceMean {
        XTransDifferenceMean(
            threeRows: sums.row(slot) + start, sevenRows: sums.row(slot + 1) + start,
            scaleAlong: tables.table(red ? .redAlong : .blueAlong, column: column, row: row),
            scaleAcross: tables.table(red ? .redAcross : .blueAcross, column: column, row: row))
    }
}

// MARK: - The result

extension XTransDemosaic {
    func fill(_ tile: Tile, matrix: ColourMatrix) {
        for y in tile.rows {
            let row = tile.row(y, in: scratch)
            let inside = tile.inside(row)
            forEachChunk(inside.x..<(inside.x + inside.count)) { start, column, count in
                fill(inside.piece(from: start - inside.x, count: count), column: column)
            }
            matrix.apply(inside)
            tile.split(row)
        }
    }

    private func fill(_ piece: PixelRow, column: Int) {
        let (x, y) = (piece.x, piece.y)
        let row = mosaic.phase.row(y)
        let slot = (y & 1) * 4
        XTransKernel.colours(
            own: mosaic.row(y) + x,
            differences: (UnsafePointer(difference(.smoothRed, y) + x), UnsafePointer(difference(.smoothBlue, y) + x)),
            sites: sites(column, row), share: difference(.share, y) + x,
            red: mean(red: true, at: slot, x, column, row), blue: mean(red: false, at: slot + 2, x, column, row),
            into: (piece.red, piece.green, piece.blue), count: piece.count)
        for plane in [piece.red, piece.green, piece.blue] {
            for i in 0..<piece.count {
                let light = CubeRootEncoding.decode(plane[i])
                plane[i] = light > 0 ? light : 0
            }
        }
        if mosaic.hasHighlights(around: y) {
            highlights.restore(piece, x: mosaic.origin.x + x, y: mosaic.origin.y + y)
        }
    }
}
