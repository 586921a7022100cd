package import PictureFormat

/// The red or blue samples of a Bayer mosaic, as a picture of half the width and height.
package struct ColourLattice: Equatable, Sendable {
    /// Rows before the mosaic's first pair and after its last: the interpolation's reach.
    static let apron = 8

    /// Samples per row, and rows.
    package let size: PixelSize
    /// Column of sample (0, 0) in the plane; samples are two columns apart.
    package let x: Int
    /// Row of sample (0, 0) in the plane.
    package let y: Int

    /// The area is the mosaic inside the plane; channel 0 is red, 2 blue.
    package init(_ area: PixelRect, _ phase: BayerPhase, channel: Int) {
        let (leadX, leadY) = ((area.x + phase.redX) & 1, (area.y + phase.redY) & 1)
        let place = channel == 2 ? 1 : 0
        size = PixelSize(
            width: (area.size.width + leadX + 1) / 2, height: (area.size.height + leadY + 1) / 2 + 2 * Self.apron)
        x = area.x - leadX + place
        y = area.y - leadY + place - 2 * Self.apron
    }
}

/// Corrects lateral colour in the red and blue samples of a Bayer mosaic, because a lens puts each colour at a slightly
/// different distance from its centre. Alignment before demosaicing brings an edge's colours to one place, as
/// interpolation of colour differences requires.
package struct ColourAlignment: Sendable {
    /// Maximum number of row pairs read ahead.
    static let lookahead = 7

    /// Displacement of the lattice's samples, in samples.
    let red: WarpField
    let blue: WarpField

    /// Nil for displacements of more than four rows. Each field maps a lattice to itself.
    package init?(red: WarpField, blue: WarpField) {
        for field in [red, blue] {
            guard field.size == field.source, field.planes == 1,
                (0..<field.size.height).allSatisfy({ field.sourceRows($0).upperBound <= $0 + Self.lookahead })
            else { return nil }
        }
        self.red = red
        self.blue = blue
    }

    func fits(_ area: PixelRect, _ phase: BayerPhase) -> Bool {
        red.size == ColourLattice(area, phase, channel: 0).size
            && blue.size == ColourLattice(area, phase, channel: 2).size
    }
}

/// Moves one colour of a mosaic, half row by half row.
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

    /// Buffer for a pair's samples before `stretch`; eight more may be written at either end.
    var target: UnsafeMutablePointer<Int16> { rows.target(0, channel: 0) }

    func stretch(_ pair: Int) { rows.stretch(row(pair), row: 0) }

    /// Pairs that this pair needs and no earlier pair does.
    func sources(_ pair: Int) -> ClosedRange<Int> {
        let rows = field.sourceRows(row(pair))
        return rows.lowerBound - ColourLattice.apron...rows.upperBound - ColourLattice.apron
    }

    /// Writes a pair's moved samples, and up to a vector more.
    func bend(_ pair: Int, into half: UnsafeMutablePointer<Int16>) {
        field.down(0, row(pair), into: offsets)
        rows.bend(row(pair), offsets, into: half)
    }

    /// Pairs beyond the apron are not used.
    private func row(_ pair: Int) -> Int { min(max(pair + ColourLattice.apron, 0), field.size.height - 1) }
}
