import PictureFormat
import Pixels

/// Edge-directed interpolation of an X-Trans mosaic, row by row, in cube roots of light (`FixedPointRoots`).
///
/// 1. Estimates green along the row and along the column at red and blue samples (`XTransKernel`).
/// 2. Blends both estimates by how little the picture changes in each direction.
/// 3. Averages green minus red and green minus blue with neighbours of the same colour, which sharpens green.
/// 4. Elsewhere, red and blue follow from weighted means of those differences.
final class XTransDemosaic {
    /// Stored rows of each estimate, a power of two; twice as many of differences.
    private static let depth = 4
    /// Pixels whose highlights are restored at once, if at all.
    private static let piece = 128

    let mosaic: XTransRows
    private let highlights: HighlightReconstruction
    private let weights = XTransWeights()
    private let count: Int
    /// Green at red and blue samples, estimated along the row and across it, and the mean of both.
    private let along: XTransColumns
    private let across: XTransColumns
    private let means: XTransColumns
    private let activityAlong: XTransColumns
    private let activityAcross: XTransColumns
    /// Share of the estimate along the row.
    private let shares: XTransColumns
    /// Green minus the own colour of red and blue samples, plain and smoothed.
    private let differences: XTransColumns
    private let smoothed: XTransColumns
    /// Red, green and blue of the last row, without the samples that have the colour.
    private let result: XTransColumns
    private var last = (y: 0, isRestored: false)
    /// Red, green and blue of a row in reading order.
    private let whole: Int16ScratchRows
    private let sums = XTransSums()
    /// Red, green and blue light of a piece of a row.
    private let light = ScratchRows(rows: 3, count: piece)
    /// The row that each step makes next; nil before the first.
    private var next: (load: Int, estimate: Int, activity: Int, difference: Int, refine: Int)?

    init(_ mosaic: XTransRows, highlights: HighlightReconstruction) {
        self.mosaic = mosaic
        self.highlights = highlights
        let columns = mosaic.columns
        count = columns.count
        along = XTransColumns(depth: Self.depth, columns)
        across = XTransColumns(depth: Self.depth, columns)
        means = XTransColumns(depth: Self.depth, columns)
        activityAlong = XTransColumns(depth: Self.depth, columns)
        activityAcross = XTransColumns(depth: Self.depth, columns)
        shares = XTransColumns(depth: 2 * Self.depth, columns)
        differences = XTransColumns(depth: 2 * Self.depth, columns)
        smoothed = XTransColumns(depth: 2 * Self.depth, columns)
        result = XTransColumns(depth: 4, columns)
        whole = Int16ScratchRows(rows: 3, count: 6 * count)
    }

    /// Makes the inputs of rows `y` and `y + 1`, which follow each other.
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
    /// The colour in a pattern row, at a pattern column from -6 to 11.
    private func colour(_ column: Int, _ row: Int) -> CFAColour { XTransPattern.colours[6 * row + (column + 6) % 6] }

    /// Calls a kernel for pieces of the short rows, by first sample and count.
    @inline(__always)
    private func forEachChunk(_ body: (_ start: Int, _ count: Int) -> Void) {
        for start in stride(from: 0, to: count, by: XTransSums.chunk) {
            body(start, min(XTransSums.chunk, count - start))
        }
    }

    private func makeEstimates(_ y: Int) {
        let row = mosaic.phase.row(y)
        for column in 0..<6 where colour(column, row) != .green {
            // From the column or row to the centre of its square.
            let (right, down) = (column % 3 == 0 ? 1 : -1, row % 3 == 0 ? 1 : -1)
            func sample(_ x: Int, _ dy: Int) -> XTransKernel.Row { mosaic.row(y + dy, column + x) }
            let (h, v) = (along.row(y, column), across.row(y, column))
            if row % 3 == 1 {
                XTransKernel.beside(
                    centre: sample(right, 0), other: sample(-2 * right, 0), own: sample(0, 0),
                    beyond: sample(2 * right, 0), into: h, count: count)
                XTransKernel.between(
                    near: (sample(0, -1), sample(0, 1)), far: (sample(0, -2), sample(0, 2)), into: v, count: count)
            } else {
                XTransKernel.between(
                    near: (sample(-1, 0), sample(1, 0)), far: (sample(-2, 0), sample(2, 0)), into: h, count: count)
                XTransKernel.beside(
                    centre: sample(0, down), other: sample(0, -2 * down), own: sample(0, 0),
                    beyond: sample(0, 2 * down), into: v, count: count)
            }
            XTransKernel.mean(h, v, into: means.row(y, column), count: count)
        }
    }

    private func makeActivity(_ y: Int) {
        func mean(_ x: Int, _ y: Int) -> XTransKernel.Row {
            colour(x, mosaic.phase.row(y)) == .green ? mosaic.row(y, x) : UnsafePointer(means.row(y, x))
        }
        for column in 0..<6 {
            let own = mean(column, y)
            XTransKernel.activity(
                own, before: mean(column - 1, y), after: mean(column + 1, y), into: activityAlong.row(y, column),
                count: count)
            XTransKernel.activity(
                own, before: mean(column, y - 1), after: mean(column, y + 1), into: activityAcross.row(y, column),
                count: count)
        }
    }

    private func makeDifferences(_ y: Int) {
        let row = mosaic.phase.row(y)
        forEachChunk { start, count in
            let range = -XTransSums.margin..<count + XTransSums.margin
            for column in 0..<6 {
                func three(_ rows: borrowing XTransColumns) -> (XTransKernel.Row, XTransKernel.Row, XTransKernel.Row) {
                    (
                        UnsafePointer(rows.row(y - 1, column) + start), UnsafePointer(rows.row(y, column) + start),
                        UnsafePointer(rows.row(y + 1, column) + start)
                    )
                }
                XTransKernel.columnSums(three(activityAlong), into: sums.three(column), range)
                XTransKernel.columnSums(three(activityAcross), into: sums.seven(column), range)
            }
            for column in [0, 5] { sums.repeatThree(column, count: count) }
            sums.repeatSeven(count: count)
            for column in 0..<6 {
                let share = shares.row(y, column) + start
                XTransKernel.share(along: sums.three(column), across: sums.seven(column), into: share, count: count)
                guard colour(column, row) != .green else { continue }
                XTransKernel.differences(
                    own: mosaic.row(y, column) + start, along: along.row(y, column) + start,
                    across: across.row(y, column) + start, share: share,
                    into: differences.row(y, column) + start, count: count)
            }
        }
    }

    private func refine(_ y: Int) {
        let row = mosaic.phase.row(y)
        forEachChunk { start, count in
            for own in [CFAColour.red, .blue] {
                makeSums(of: differences, own, y, start, count) { colour($0, row) == own }
                for column in 0..<6 where colour(column, row) == own {
                    XTransKernel.refine(
                        mean(own, column, row), share: shares.row(y, column) + start,
                        into: smoothed.row(y, column) + start, count: count)
                }
            }
        }
    }

    /// Sums the columns of a piece of row `y`, for red or blue differences. `isAsked` states whether a column needs
    /// means.
    private func makeSums(
        of rows: borrowing XTransColumns, _ own: CFAColour, _ y: Int, _ start: Int, _ count: Int,
        _ isAsked: (_ column: Int) -> Bool
    ) {
        let range = -XTransSums.margin..<count + XTransSums.margin
        let row = mosaic.phase.row(y)
        for column in 0..<6 {
            let isNear = isAsked(column - 1) || isAsked(column) || isAsked(column + 1)
            XTransColumnSum.add(
                row: row, first: XTransPhase.firstRow(of: own, column: column), isTwice: column % 3 == 1,
                { UnsafePointer(rows.row(y + $0, column) + start) }, three: sums.three(column),
                seven: isNear ? sums.seven(column) : nil, range)
            if weights.place(own, column: column, row: row).taps.has(0) { sums.repeatThree(column, count: count) }
        }
        sums.repeatSeven(count: count)
    }

    private func mean(_ own: CFAColour, _ column: Int, _ row: Int) -> XTransDifferenceMean {
        let place = weights.place(own, column: column, row: row)
        return XTransDifferenceMean(
            threeRows: sums.three(column), sevenRows: sums.seven(column), scaleAlong: place.scales.along,
            scaleAcross: place.scales.across, taps: place.taps)
    }
}

// MARK: - The result

extension XTransDemosaic {
    func make(_ y: Int) {
        let row = mosaic.phase.row(y)
        forEachChunk { start, count in
            for column in 0..<6 where colour(column, row) != .green {
                XTransKernel.greens(
                    own: mosaic.row(y, column) + start, difference: smoothed.row(y, column) + start,
                    into: result.row(1, column) + start, count: count)
            }
            for other in [CFAColour.red, .blue] {
                makeSums(of: smoothed, other, y, start, count) { colour($0, row) != other }
                for column in 0..<6 where colour(column, row) != other {
                    let green = colour(column, row) == .green ? mosaic.row(y, column) : .init(result.row(1, column))
                    XTransKernel.colour(
                        green: green + start, mean: mean(other, column, row), share: shares.row(y, column) + start,
                        into: result.row(other == .red ? 0 : 2, column) + start, count: count)
                }
            }
        }
        for column in 0..<6 where colour(column, row) != .green {
            XTransKernel.bound(result.row(1, column), count: count)
        }
        last = (y, isRestored: false)
        if mosaic.hasHighlights(around: y) { restoreHighlights(y) }
    }

    /// Red (0), green or blue (2) of the last row, in a pattern column.
    func made(_ channel: Int, _ column: Int) -> XTransKernel.Row {
        let colour = colour(column, mosaic.phase.row(last.y))
        let isOwn = !last.isRestored && channel == Int(colour.rawValue)
        return isOwn ? mosaic.row(last.y, column) : UnsafePointer(result.row(channel, column))
    }

    /// Restores saturated channels of the last row, in the light of the pieces that have any.
    private func restoreHighlights(_ y: Int) {
        let (roots, lead) = (mosaic.roots, mosaic.columns.lead)
        for channel in 0..<3 {
            XTransColumns.join(
                (
                    made(channel, 0), made(channel, 1), made(channel, 2), made(channel, 3), made(channel, 4),
                    made(channel, 5)
                ), into: whole.row(channel) - lead, count: count)
        }
        for x in stride(from: 0, to: mosaic.count, by: Self.piece) {
            let row = PixelRow(
                red: light.row(0), green: light.row(1), blue: light.row(2), count: min(Self.piece, mosaic.count - x),
                x: x, y: y)
            for (plane, channel) in [(row.red, 0), (row.green, 1), (row.blue, 2)] {
                let values = whole.row(channel) + x
                for i in 0..<row.count {
                    let light = roots.light(Float(values[i]))
                    plane[i] = light > 0 ? light : 0
                }
            }
            guard highlights.areNear(row) else { continue }
            highlights.restore(row, x: mosaic.origin.x + x, y: mosaic.origin.y + y)
            for (plane, channel) in [(row.red, 0), (row.green, 1), (row.blue, 2)] {
                roots.encode(plane, into: whole.row(channel) + x, count: row.count)
            }
            last.isRestored = true
        }
        guard last.isRestored else { return }
        for channel in 0..<3 { result.split(whole.row(channel) - lead, channel, count: count) }
    }
}
