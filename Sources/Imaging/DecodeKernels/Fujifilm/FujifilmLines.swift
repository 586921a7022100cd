/// Lines of a strip: six rows by colour, after two lines above for each colour. A line has one extra sample at each
/// end, copied from the line above.
final class FujifilmLines {
    /// First line of each colour, after the lines above.
    static let red = 2
    static let green = 7
    static let blue = 15
    private static let count = 18
    /// Lines decoded together, without the lines above.
    static let ownCount = 12
    /// Moves the last lines of six rows to the lines above.
    private static let moves = [(0, 3), (1, 4), (5, 11), (6, 12), (13, 16), (14, 17)]
    /// More than a vector beyond a line's end.
    private static let padding = 32

    let width: Int
    private let start: UnsafeMutablePointer<UInt16>
    private let stride: Int

    init(width: Int) {
        self.width = width
        stride = width + 2 * Self.padding
        start = .allocate(capacity: Self.count * stride)
        start.initialize(repeating: 0, count: Self.count * stride)
    }

    deinit { start.deallocate() }

    func line(_ number: Int) -> UnsafeMutablePointer<UInt16> { start + number * stride + Self.padding }

    /// Sets the extra samples at a line's ends.
    func prepare(_ number: Int) {
        let (line, above) = (line(number), line(number - 1))
        line[-1] = above[0]
        line[width] = above[width - 1]
    }

    func advance() {
        for (to, from) in Self.moves {
            (start + to * stride).update(from: start + from * stride, count: stride)
        }
    }

    struct Pair {
        let first: Int
        let second: Int
        /// Index of the memory, one of three, that adapts to their codes.
        let memory: Int
        /// Coded even samples of the first and second line: 1 for every other one from the first, 2 for those between.
        /// Samples that are not coded equal their prediction.
        let coded: (first: Int, second: Int)
    }

    static let bayerPairs = pairs([(3, 3), (3, 3), (3, 3), (3, 3), (3, 3), (3, 3)])
    static let xTransPairs = pairs([(0, 3), (3, 0), (2, 0), (3, 1), (1, 3), (0, 2)])

    private static func pairs(_ coded: [(Int, Int)]) -> [Pair] {
        let lines = [
            (red, green), (green + 1, blue), (red + 1, green + 2), (green + 3, blue + 1), (red + 2, green + 4),
            (green + 5, blue + 2),
        ]
        return lines.indices.map { index in
            Pair(first: lines[index].0, second: lines[index].1, memory: index % 3, coded: coded[index])
        }
    }
}
