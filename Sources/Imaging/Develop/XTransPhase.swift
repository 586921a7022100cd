import Pixels

/// Where a picture begins in Fujifilm's X-Trans pattern: squares of 3 × 3 whose corners and centre are green, with blue
/// above and below the centre and red beside it, alternating like a chess board with squares of red and blue exchanged.
struct XTransPhase: Equatable {
    /// Column and row of sample (0, 0) in the pattern, 0…5.
    let x: Int
    let y: Int

    private static let pattern = "GBGGRGRGRBGBGBGGRGGRGGBGBGBRGRGRGGBG".utf8.map { letter -> CFAColour in
        letter == UInt8(ascii: "R") ? .red : letter == UInt8(ascii: "B") ? .blue : .green
    }

    init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// Nil unless the 36 colours are the pattern, begun anywhere.
    init?(_ colours: [CFAColour]) {
        guard colours.count == 36 else { return nil }
        for start in 0..<36 {
            let phase = XTransPhase(x: start % 6, y: start / 6)
            guard (0..<36).allSatisfy({ phase.colour($0 % 6, $0 / 6) == colours[$0] }) else { continue }
            self = phase
            return
        }
        return nil
    }

    /// The phase of a picture that begins at this sample.
    func at(x: Int, y: Int) -> XTransPhase { XTransPhase(x: column(x), y: row(y)) }

    /// Places in the pattern of a column and a row, which may be negative.
    func column(_ x: Int) -> Int { Self.modulo(self.x + x) }
    func row(_ y: Int) -> Int { Self.modulo(self.y + y) }

    func colour(_ x: Int, _ y: Int) -> CFAColour { Self.pattern[row(y) * 6 + column(x)] }

    private static func modulo(_ value: Int) -> Int { (value % 6 + 6) % 6 }

    /// The sample that stands for `index` beyond the edges of `count` samples, at least six, along one direction:
    /// mirrored about the centre of the first or the last square, which puts every colour on its own.
    /// - Parameter phase: of the first sample.
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
