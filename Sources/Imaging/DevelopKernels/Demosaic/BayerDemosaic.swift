import Pixels

/// Edge-directed interpolation of a Bayer mosaic, a pair of rows at a time, in cube roots of light.
///
/// 1. Estimates green minus red (or blue) along the row and along the column at every sample. 2. At red and blue
/// samples, blends both estimates by how little they change. 3. Refines these differences by those around them, which
/// gives green there. 4. Elsewhere, red and blue follow from the mean of the differences around.
///
/// For steps 1 to 3 see `ColourDifference`. If detail changes, green is complete after step 3, and each sample changes
/// with its green: all colours follow from sample and differences.
final class BayerDemosaic: TileSource {
    /// Row pairs of each intermediate result, a power of two.
    private static let depth = 4

    let mosaic: BayerRows
    /// By pair, differences along the columns: at red, at the green below red, at blue, at the green above blue.
    private let vertical: Int16ScratchRows
    /// By pair, for red and then for blue: change and smoothed difference along the row, then both along the column.
    private let directions: Int16ScratchRows
    /// By pair: green minus red at red, green minus blue at blue.
    private let differences: Int16ScratchRows
    /// After step 3.
    private let refined: Int16ScratchRows
    /// In step 1, differences along a row at red or blue, and at green; in step 2, uncertainties along rows and along
    /// columns.
    private let scratch: Int16ScratchRows
    /// Nil to keep detail.
    private let detail: DetailRows?
    private(set) lazy var colours = BayerColours(count: mosaic.count)
    /// The pair that each step makes next; nil before the first row.
    private var next: (load: Int, vertical: Int, direction: Int, difference: Int, refined: Int)?

    init(_ mosaic: BayerRows, detail: DetailLimits?) {
        self.mosaic = mosaic
        self.detail = detail.map { DetailRows($0, count: mosaic.count) }
        vertical = Int16ScratchRows(rows: 4 * Self.depth, count: mosaic.count)
        directions = Int16ScratchRows(rows: 8 * Self.depth, count: mosaic.count)
        differences = Int16ScratchRows(rows: 2 * Self.depth, count: mosaic.count)
        refined = Int16ScratchRows(rows: 2 * Self.depth, count: mosaic.count)
        scratch = Int16ScratchRows(rows: 2, count: mosaic.count)
    }

    func prepare(_ y: Int) {
        // Rows y and y + 1 belong to one or two pairs.
        let first = (y + mosaic.leadY) >> 1
        let last = (y + 1 + mosaic.leadY) >> 1
        if next == nil { next = (first - 5, first - 4, first - 3, first - 2, first - 1) }
        if let detail, detail.next == nil { detail.next = first }
        while let pair = next?.refined, pair <= last + 1 {
            prepareRefined(pair)
            if let detail { changeDetail(detail, before: pair) }
        }
    }

    /// Adds the greens of a pair with refined differences, and changes the samples of the previous pair, whose original
    /// values are no longer needed.
    private func changeDetail(_ detail: DetailRows, before pair: Int) {
        let range = range
        for (index, difference) in [(0, refined(0, pair)), (3, refined(1, pair))] {
            DetailKernel.add(mosaic.half(index, pair), difference, into: detail.row(index, pair), range)
        }
        for index in 1...2 {
            detail.row(index, pair).advanced(by: range.lowerBound)
                .update(from: mosaic.half(index, pair) + range.lowerBound, count: range.count)
        }
        guard let next = detail.next, next == pair - 1 else { return }
        detail.apply(
            to: (mosaic.half(0, next), mosaic.half(1, next), mosaic.half(2, next), mosaic.half(3, next)), next, range)
        detail.next = pair
    }

    func fill(_ tile: Tile, matrix: ColourMatrix) {
        for index in 0..<4 {
            let corner = tile.corner(index)
            guard tile.rows.contains(corner.y) else { continue }
            let (row, column) = (corner.y + mosaic.leadY, corner.x + mosaic.leadX)
            let (pair, first) = (row >> 1, column >> 1)
            switch (row & 1, column & 1) {
            case (0, 0): fillRed(corner, pair, first, matrix)
            case (0, _): fillGreenBesideRed(corner, pair, first, matrix)
            case (_, 0): fillGreenBesideBlue(corner, pair, first, matrix)
            default: fillBlue(corner, pair, first, matrix)
            }
        }
    }

    private func prepareRefined(_ pair: Int) {
        guard var at = next else { return }
        while at.difference <= pair + 1 {
            while at.direction <= at.difference + 1 {
                while at.vertical <= at.direction + 1 {
                    while at.load <= at.vertical + 1 {
                        mosaic.load(at.load)
                        at.load += 1
                    }
                    makeVertical(at.vertical)
                    at.vertical += 1
                }
                makeHorizontalDirection(at.direction)
                makeVerticalDirection(at.direction)
                at.direction += 1
            }
            makeDifference(at.difference)
            at.difference += 1
        }
        for index in 0...1 { refine(index, pair) }
        at.refined = pair + 1
        next = at
    }
}

// MARK: - Step 1

extension BayerDemosaic {
    /// Each step needs one more sample at either end than the next. All work on whole cache lines, which is faster. The
    /// mosaic is reflected beyond its ends as far as necessary; the other samples are meaningless.
    private var range: Range<Int> { scratch.lines }

    @inline(__always)
    private func vertical(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Int16> {
        vertical.row(4 * (pair & (Self.depth - 1)) + index)
    }

    @inline(__always)
    private func direction(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Int16> {
        directions.row(8 * (pair & (Self.depth - 1)) + index)
    }

    @inline(__always)
    private func difference(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Int16> {
        differences.row(2 * (pair & (Self.depth - 1)) + index)
    }

    @inline(__always)
    func refined(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Int16> {
        refined.row(2 * (pair & (Self.depth - 1)) + index)
    }

    private func makeVertical(_ p: Int) {
        let range = range
        let m = mosaic
        ColourDifference.atOther(
            before: m.half(2, p - 1), after: m.half(2, p), previous: m.half(0, p - 1), other: m.half(0, p),
            next: m.half(0, p + 1), into: vertical(0, p), range)
        ColourDifference.atGreen(
            before: m.half(0, p), after: m.half(0, p + 1), previous: m.half(2, p - 1), green: m.half(2, p),
            next: m.half(2, p + 1), into: vertical(1, p), range)
        ColourDifference.atOther(
            before: m.half(1, p), after: m.half(1, p + 1), previous: m.half(3, p - 1), other: m.half(3, p),
            next: m.half(3, p + 1), into: vertical(2, p), range)
        ColourDifference.atGreen(
            before: m.half(3, p - 1), after: m.half(3, p), previous: m.half(1, p - 1), green: m.half(1, p),
            next: m.half(1, p + 1), into: vertical(3, p), range)
    }

    private func makeVerticalDirection(_ p: Int) {
        ColourDifference.changeAndSmooth(
            previous: vertical(0, p - 1), own: vertical(0, p), next: vertical(0, p + 1), before: vertical(1, p - 1),
            after: vertical(1, p), into: (direction(2, p), direction(3, p)), range)
        ColourDifference.changeAndSmooth(
            previous: vertical(2, p - 1), own: vertical(2, p), next: vertical(2, p + 1), before: vertical(3, p),
            after: vertical(3, p + 1), into: (direction(6, p), direction(7, p)), range)
    }

    private func makeHorizontalDirection(_ p: Int) {
        // In the upper row green follows red, in the lower row it precedes blue.
        makeHorizontalDirection(other: mosaic.half(0, p), green: mosaic.half(1, p), greenBefore: -1, pair: p, index: 0)
        makeHorizontalDirection(other: mosaic.half(3, p), green: mosaic.half(2, p), greenBefore: 0, pair: p, index: 4)
    }

    /// `greenBefore` is the index of the green before a sample of the other colour, relative to the sample's.
    private func makeHorizontalDirection(
        other: UnsafePointer<Int16>, green: UnsafePointer<Int16>, greenBefore: Int, pair: Int, index: Int
    ) {
        let own = scratch.row(0)
        let atGreen = scratch.row(1)
        ColourDifference.atOther(
            before: green + greenBefore, after: green + greenBefore + 1, previous: other - 1, other: other,
            next: other + 1, into: own, range)
        ColourDifference.atGreen(
            before: other - greenBefore - 1, after: other - greenBefore, previous: green - 1, green: green,
            next: green + 1, into: atGreen, range)
        ColourDifference.changeAndSmooth(
            previous: own - 1, own: own, next: own + 1, before: atGreen + greenBefore,
            after: atGreen + greenBefore + 1, into: (direction(index, pair), direction(index + 1, pair)), range)
    }
}

// MARK: - Steps 2 and 3

extension BayerDemosaic {
    private func makeDifference(_ p: Int) {
        makeDifference(
            index: 0, pair: p, before: direction(4, p - 1), after: direction(4, p), beforeV: direction(6, p - 1),
            afterV: direction(6, p), shift: -1)
        makeDifference(
            index: 1, pair: p, before: direction(0, p), after: direction(0, p + 1), beforeV: direction(2, p),
            afterV: direction(2, p + 1), shift: 1)
    }

    /// Index 0 is red, 1 blue. `before` and `after` are changes along the previous and next row; `beforeV` and `afterV`
    /// along columns.
    private func makeDifference(
        index: Int, pair: Int, before: UnsafePointer<Int16>, after: UnsafePointer<Int16>,
        beforeV: UnsafePointer<Int16>, afterV: UnsafePointer<Int16>, shift: Int
    ) {
        let range = range
        let own = 4 * index
        let (along, across) = (scratch.row(0), scratch.row(1))
        ColourDifference.uncertainty(
            direction(own, pair), before: before, after: after, shift: shift, into: along, range)
        ColourDifference.uncertainty(
            direction(own + 2, pair), before: beforeV, after: afterV, shift: shift, into: across, range)
        ColourDifference.blend(
            .init(smooth: direction(own + 1, pair), uncertainty: along),
            .init(smooth: direction(own + 3, pair), uncertainty: across), into: difference(index, pair), range)
    }

    /// Index 0 is red, 1 blue.
    private func refine(_ index: Int, _ p: Int) {
        let (horizontal, vertical) = (4 * index, 4 * index + 2)
        ColourDifference.refine(
            along: .init(difference: difference(index, p), change: direction(horizontal, p)),
            above: .init(difference: difference(index, p - 1), change: direction(vertical, p - 1)),
            below: .init(difference: difference(index, p + 1), change: direction(vertical, p + 1)),
            into: refined(index, p), range)
    }
}

// MARK: - The result

// Each corner of a tile's squares is one kind of sample. `first` is the corner's start in the half rows of its pair.
extension BayerDemosaic {
    private func fillRed(_ corner: PixelRow, _ pair: Int, _ first: Int, _ matrix: ColourMatrix) {
        let red = mosaic.half(0, pair) + first
        let d = refined(0, pair) + first
        let (above, below) = (refined(1, pair - 1) + first, refined(1, pair) + first)
        matrix.apply(mosaic.roots, into: corner) { x in
            let greenMinusBlue = mean(mean(above[x - 1], below[x - 1]), mean(above[x], below[x]))
            return .init(green: red[x] &+ d[x], greenMinusRed: d[x], greenMinusBlue: greenMinusBlue)
        }
    }

    private func fillGreenBesideRed(_ corner: PixelRow, _ pair: Int, _ first: Int, _ matrix: ColourMatrix) {
        let green = mosaic.half(1, pair) + first
        let d = refined(0, pair) + first
        let (above, below) = (refined(1, pair - 1) + first, refined(1, pair) + first)
        matrix.apply(mosaic.roots, into: corner) { x in
            .init(green: green[x], greenMinusRed: mean(d[x], d[x + 1]), greenMinusBlue: mean(above[x], below[x]))
        }
    }

    private func fillGreenBesideBlue(_ corner: PixelRow, _ pair: Int, _ first: Int, _ matrix: ColourMatrix) {
        let green = mosaic.half(2, pair) + first
        let d = refined(1, pair) + first
        let (above, below) = (refined(0, pair) + first, refined(0, pair + 1) + first)
        matrix.apply(mosaic.roots, into: corner) { x in
            .init(green: green[x], greenMinusRed: mean(above[x], below[x]), greenMinusBlue: mean(d[x - 1], d[x]))
        }
    }

    private func fillBlue(_ corner: PixelRow, _ pair: Int, _ first: Int, _ matrix: ColourMatrix) {
        let blue = mosaic.half(3, pair) + first
        let d = refined(1, pair) + first
        let (above, below) = (refined(0, pair) + first, refined(0, pair + 1) + first)
        matrix.apply(mosaic.roots, into: corner) { x in
            let greenMinusRed = mean(mean(above[x], below[x]), mean(above[x + 1], below[x + 1]))
            return .init(green: blue[x] &+ d[x], greenMinusRed: greenMinusRed, greenMinusBlue: d[x])
        }
    }

    @inline(__always)
    private func mean(_ a: Int16, _ b: Int16) -> Int16 { (a &+ b) &>> 1 }
}
