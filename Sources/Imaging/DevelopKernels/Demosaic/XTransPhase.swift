package import Pixels

/// The start of a picture in Fujifilm's X-Trans pattern of 6 × 6 samples.
///
/// The pattern is a chessboard of two kinds of 3 × 3 squares with green corners and centre. One has blue above and
/// below the centre and red beside it; the other has red and blue exchanged.
package struct XTransPhase: Equatable, Sendable {
    /// Column and row of sample (0, 0) in the pattern, 0…5.
    let x: Int
    let y: Int

    init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// Nil unless the 36 colours are the pattern, starting at any of its samples.
    package init?(_ colours: [CFAColour]) {
        guard let (x, y) = XTransPattern.origin(of: colours) else { return nil }
        self.init(x: x, y: y)
    }

    /// The phase of a picture that starts at sample `x`, `y`.
    func at(x: Int, y: Int) -> XTransPhase { XTransPhase(x: column(x), y: row(y)) }

    /// The pattern column of a picture column, which may be negative.
    func column(_ x: Int) -> Int { Self.modulo(self.x + x) }
    /// The pattern row of a picture row, which may be negative.
    func row(_ y: Int) -> Int { Self.modulo(self.y + y) }

    /// The colour of a sample of the picture; coordinates may be negative.
    func colour(_ x: Int, _ y: Int) -> CFAColour { XTransPattern.colours[row(y) * 6 + column(x)] }

    /// First pattern row in which a column has red or blue. Columns 1 and 4 have it again two rows later.
    static func firstRow(of colour: CFAColour, column: Int) -> Int {
        let first =
            switch column {
            case 0, 2: 1
            case 1: 3
            case 4: 0
            default: 4
            }
        return colour == .red ? first : (first + 3) % 6
    }

    private static func modulo(_ value: Int) -> Int { (value % 6 + 6) % 6 }

    /// The index inside `count` samples, at least six, that replaces an index beyond their ends: its mirror image about
    /// the centre of the first or last square, which has the same colour. `phase` is the first sample's.
    static func reflect(_ index: Int, _ count: Int, phase: Int) -> Int {
        let first = (4 - phase % 3) % 3
        let last = count - 1 - (phase + count + 1) % 3
        var i = index
        while i < 0 || i >= count {
            if i < 0 { i = 2 * first - i }
            if i >= count { i = 2 * last - i }
        }
        return i
    }
}
