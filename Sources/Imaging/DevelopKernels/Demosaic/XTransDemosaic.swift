import PictureFormat
import Pixels

/// Edge-directed interpolation of an X-Trans mosaic, row by row, in cube roots of light (`FixedPointRoots`).
///
/// 1. Green is estimated along the row and along the column at every red and blue sample (`XTransKernel`).
/// 2. Both estimates are blended by how little the picture changes in each direction.
/// 3. Green minus red, and green minus blue, are averaged with neighbours of the same colour, which sharpens green.
/// 4. Red and blue elsewhere follow from the weighted means of those differences.
final class XTransDemosaic {
    /// Rows kept of each estimate, a power of two; of differences twice as many.
    private static let depth = 4

    let mosaic: XTransRows
    private let highlights: HighlightReconstruction
    private let tables = XTransTables()
    /// By row, as `Estimate` has them: green estimated along and across, their mean, and the activity along and across.
    private let estimates: Int16ScratchRows
    /// By row, as `Difference` has them: the share of the estimate along the row, and the differences of red and blue,
    /// plain and smoothed.
    private let differences: Int16ScratchRows
    /// Of a piece of a row: the column sums of `XTransDifferenceMean` for red and then for blue, or of both activities.
    private let sums = ScratchRows(rows: 4, count: XTransTables.chunk)
    /// Red, green and blue light of a piece of a row.
    private let light = ScratchRows(rows: 3, count: XTransTables.chunk)
    /// The row that each step makes next; nil before the first.
    private var next: (load: Int, estimate: Int, activity: Int, difference: Int, refine: Int)?

    private enum Estimate: Int { case along, across, mean, activityAlong, activityAcross }
    private enum Difference: Int { case share, red, blue, smoothRed, smoothBlue }

    init(_ mosaic: XTransRows, highlights: HighlightReconstruction) {
        self.mosaic = mosaic
        self.highlights = highlights
        estimates = Int16ScratchRows(rows: 5 * Self.depth, count: mosaic.count)
        differences = Int16ScratchRows(rows: 5 * Self.depth * 2, count: mosaic.count)
    }

    @inline(__always)
    private func estimate(_ kind: Estimate, _ y: Int) -> UnsafeMutablePointer<Int16> {
        estimates.row((y & (Self.depth - 1)) * 5 + kind.rawValue)
    }

    @inline(__always)
    private func difference(_ kind: Difference, _ y: Int) -> UnsafeMutablePointer<Int16> {
        differences.row((y & (2 * Self.depth - 1)) * 5 + kind.rawValue)
    }

    /// Makes what rows `y` and `y + 1` need, which are asked for in turn.
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
            let isSite = tables.table(.site, column: column, row: patternRow)
            let along = estimate(.along, y) + start
            let across = estimate(.across, y) + start
            func row(_ distance: Int) -> UnsafePointer<Int16> { UnsafePointer(mosaic.row(y + distance) + start) }
            if isCentral {
                XTransKernel.estimateCentral(
                    (row(0), row(-1), row(1), row(-2), row(2)), isSite: isSite,
                    centreAfter: tables.table(.centreAfter, column: column, row: patternRow), along: along,
                    across: across,
                    count: count)
            } else {
                XTransKernel.estimateFlanked(
                    (row(0), row(down), row(2 * down), row(-2 * down)), isSite: isSite, along: along,
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
        let row = mosaic.phase.row(y)
        forEachChunk(range(beyond: 6)) { start, column, count in
            func three(_ kind: Estimate) -> (UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafePointer<Int16>) {
                (
                    UnsafePointer(estimate(kind, y - 1) + start), UnsafePointer(estimate(kind, y) + start),
                    UnsafePointer(estimate(kind, y + 1) + start)
                )
            }
            let share = difference(.share, y) + start
            XTransKernel.columnSums(three(.activityAlong), into: sums.row(0), -1..<count + 1)
            XTransKernel.columnSums(three(.activityAcross), into: sums.row(1), -1..<count + 1)
            XTransKernel.share(along: sums.row(0), across: sums.row(1), into: share, count: count)
            XTransKernel.differences(
                own: mosaic.row(y) + start, along: estimate(.along, y) + start, across: estimate(.across, y) + start,
                share: share, sites: sites(column, row), red: difference(.red, y) + start,
                blue: difference(.blue, y) + start, count: count)
        }
    }

    private func refine(_ y: Int) {
        let row = mosaic.phase.row(y)
        forEachChunk(range(beyond: 3)) { start, column, count in
            let share = difference(.share, y) + start
            let sites = sites(column, row)
            XTransKernel.refine(
                mean(of: .red, y, start, column, row, count), share: share, sites: sites.red,
                into: difference(.smoothRed, y) + start, count: count)
            XTransKernel.refine(
                mean(of: .blue, y, start, column, row, count), share: share, sites: sites.blue,
                into: difference(.smoothBlue, y) + start, count: count)
        }
    }

    /// The means of a piece of row `y` of the differences of red or blue, plain or smoothed. Red's and blue's are valid together,
    /// until others are asked for.
    private func mean(
        of kind: Difference, _ y: Int, _ start: Int, _ column: Int, _ row: Int, _ count: Int
    ) -> XTransDifferenceMean {
        let isRed = kind == .red || kind == .smoothRed
        let (three, seven) = (sums.row(isRed ? 0 : 2), sums.row(isRed ? 1 : 3))
        func rows(_ distance: Int) -> UnsafePointer<Int16> { UnsafePointer(difference(kind, y + distance) + start) }
        XTransDifferenceMean.add(
            (rows(-3), rows(-2), rows(-1), rows(0), rows(1), rows(2), rows(3)), threeRows: three, sevenRows: seven,
            -3..<count + 3)
        return XTransDifferenceMean(
            threeRows: three, sevenRows: seven,
            scaleAlong: tables.table(isRed ? .redAlong : .blueAlong, column: column, row: row),
            scaleAcross: tables.table(isRed ? .redAcross : .blueAcross, column: column, row: row))
    }

    private func sites(_ column: Int, _ row: Int) -> (red: UnsafePointer<Float>, blue: UnsafePointer<Float>) {
        (tables.table(.red, column: column, row: row), tables.table(.blue, column: column, row: row))
    }
}

// MARK: - The result

extension XTransDemosaic {
    /// Writes the roots of row `y` of the picture, which was prepared, in reading order.
    func fillRoots(
        _ y: Int, red: UnsafeMutablePointer<Int16>, green: UnsafeMutablePointer<Int16>,
        blue: UnsafeMutablePointer<Int16>
    ) {
        let row = mosaic.phase.row(y)
        forEachChunk(0..<mosaic.count) { x, column, count in
            let (own, share, middle) = (mosaic.row(y) + x, difference(.share, y) + x, green + x)
            let sites = sites(column, row)
            XTransKernel.greens(
                own: own,
                differences: (
                    UnsafePointer(difference(.smoothRed, y) + x), UnsafePointer(difference(.smoothBlue, y) + x)
                ), into: middle,
                count: count)
            XTransKernel.colour(
                own: own, green: middle, mean: mean(of: .smoothRed, y, x, column, row, count), share: share,
                sites: sites.red, into: red + x, count: count)
            XTransKernel.colour(
                own: own, green: middle, mean: mean(of: .smoothBlue, y, x, column, row, count), share: share,
                sites: sites.blue, into: blue + x, count: count)
            XTransKernel.bound(middle, count: count)
        }
        if mosaic.hasHighlights(around: y) { restoreHighlights(red, green, blue, y) }
    }

    /// Restores saturated channels of a row, in its light.
    private func restoreHighlights(
        _ red: UnsafeMutablePointer<Int16>, _ green: UnsafeMutablePointer<Int16>, _ blue: UnsafeMutablePointer<Int16>,
        _ y: Int
    ) {
        let roots = mosaic.roots
        forEachChunk(0..<mosaic.count) { x, _, count in
            let row = PixelRow(
                red: light.row(0), green: light.row(1), blue: light.row(2), count: count, x: x, y: y)
            for (plane, values) in [(row.red, red + x), (row.green, green + x), (row.blue, blue + x)] {
                for i in 0..<count {
                    let light = roots.light(Float(values[i]))
                    plane[i] = light > 0 ? light : 0
                }
            }
            highlights.restore(row, x: mosaic.origin.x + x, y: mosaic.origin.y + y)
            for (plane, values) in [(row.red, red + x), (row.green, green + x), (row.blue, blue + x)] {
                roots.encode(plane, into: values, count: count)
            }
        }
    }
}
