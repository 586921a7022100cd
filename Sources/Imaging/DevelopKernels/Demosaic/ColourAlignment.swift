package import PictureFormat

/// The red or the blue samples of a Bayer mosaic, as a picture of their own: half as wide, and half as high.
package struct ColourLattice: Equatable, Sendable {
    /// Rows before the mosaic's first pair and behind its last: as far as its interpolation reads.
    static let apron = 8

    /// Samples of a row, and rows.
    package let size: PixelSize
    /// Column of the plane in which sample (0, 0) lies; samples follow each other in every second column.
    package let x: Int
    /// Row of the plane in which sample (0, 0) lies.
    package let y: Int

    /// - Parameters:
    ///   - area: the mosaic inside the plane.
    ///   - channel: 0 red, 2 blue.
    package init(_ area: PixelRect, _ phase: BayerPhase, channel: Int) {
        let (leadX, leadY) = ((area.x + phase.redX) & 1, (area.y + phase.redY) & 1)
        let place = channel == 2 ? 1 : 0
        size = PixelSize(
            width: (area.size.width + leadX + 1) / 2, height: (area.size.height + leadY + 1) / 2 + 2 * Self.apron)
        x = area.x - leadX + place
        y = area.y - leadY + place - 2 * Self.apron
    }
}

/// Where the red and the blue samples of a Bayer mosaic come from, so that they show what the green ones around them show: a
/// lens has put each colour a little farther from its centre, or nearer.
///
/// Moved before the mosaic is interpolated, all colours of an edge are in one place, which is what an interpolation by the
/// differences of colours supposes.
package struct ColourAlignment: Sendable {
    /// Pairs of rows that are read ahead of the one that is moved, at most.
    static let lookahead = 7

    /// By sample of the lattice: how far it lies from where it comes from, in samples.
    let red: WarpField
    let blue: WarpField

    /// Nil where samples come from too far away: more than four of their rows.
    ///
    /// - Parameter red: from its lattice to its lattice; likewise `blue`.
    package init?(red: WarpField, blue: WarpField) {
        for field in [red, blue] {
            guard field.size == field.source, field.planes == 1,
                (0..<field.size.height).allSatisfy({ field.sourceRows($0).upperBound <= $0 + Self.lookahead })
            else { return nil }
        }
        self.red = red
        self.blue = blue
    }

    /// Whether it is of this mosaic.
    func fits(_ area: PixelRect, _ phase: BayerPhase) -> Bool {
        red.size == ColourLattice(area, phase, channel: 0).size
            && blue.size == ColourLattice(area, phase, channel: 2).size
    }
}

/// One colour of a mosaic while it is moved, half row by half row.
final class AlignedRows {
    private let field: WarpField
    private let rows: WarpRows
    private let offsets: UnsafeMutablePointer<Int32>

    init(_ field: WarpField) {
        self.field = field
        rows = WarpRows(field, .samples)
        offsets = .allocate(capacity: field.columns)
    }

    deinit { offsets.deallocate() }

    /// Where the samples of a pair are put before `stretch`; eight more may be written at either end.
    var target: UnsafeMutablePointer<Int16> { rows.target(0, channel: 0) }

    /// Takes over the samples of a pair.
    func stretch(_ pair: Int) { rows.stretch(row(pair), row: 0) }

    /// The pairs whose samples a pair, and none before it, needs.
    func sources(_ pair: Int) -> ClosedRange<Int> {
        let rows = field.sourceRows(row(pair))
        return rows.lowerBound - ColourLattice.apron...rows.upperBound - ColourLattice.apron
    }

    /// Writes the moved samples of a pair, and up to a vector more.
    func bend(_ pair: Int, into half: UnsafeMutablePointer<Int16>) {
        field.down(0, row(pair), into: offsets)
        rows.bend(row(pair), offsets, into: half)
    }

    /// No pair is asked for beyond the apron.
    private func row(_ pair: Int) -> Int { min(max(pair + ColourLattice.apron, 0), field.size.height - 1) }
}
