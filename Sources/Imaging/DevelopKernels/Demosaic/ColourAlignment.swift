package import PictureFormat

/// The red or the blue samples of a Bayer mosaic, as a separate picture of half the width and half the height.
package struct ColourLattice: Equatable, Sendable {
    /// Rows before the mosaic's first pair and after its last: the reach of its interpolation.
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

/// Source of the red and the blue samples of a Bayer mosaic that corrects lateral colour: a lens puts each colour at a
/// slightly different distance from its centre.
///
/// Moving samples before demosaicing brings all colours of an edge to one place, as interpolation of colour differences
/// requires.
package struct ColourAlignment: Sendable {
    /// Maximum number of row pairs read ahead of the moved one.
    static let lookahead = 7

    /// Displacement of each sample of the lattice, in samples.
    let red: WarpField
    let blue: WarpField

    /// Creates an alignment; nil for displacements of more than four rows.
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

    /// Whether the alignment belongs to this mosaic.
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

    /// Destination of a pair's samples before `stretch`; eight more may be written at either end.
    var target: UnsafeMutablePointer<Int16> { rows.target(0, channel: 0) }

    /// Moves the samples of a pair along the row.
    func stretch(_ pair: Int) { rows.stretch(row(pair), row: 0) }

    /// Pairs that are needed by a pair and by none before it.
    func sources(_ pair: Int) -> ClosedRange<Int> {
        let rows = field.sourceRows(row(pair))
        return rows.lowerBound - ColourLattice.apron...rows.upperBound - ColourLattice.apron
    }

    /// Writes the moved samples of a pair, and up to a vector more.
    func bend(_ pair: Int, into half: UnsafeMutablePointer<Int16>) {
        field.down(0, row(pair), into: offsets)
        rows.bend(row(pair), offsets, into: half)
    }

    /// Pairs beyond the apron are not used.
    private func row(_ pair: Int) -> Int { min(max(pair + ColourLattice.apron, 0), field.size.height - 1) }
}
