import Pixels

/// LibRaw's colour filter array.
struct LibRawFilters {
    /// For a Bayer pattern, two bits per position in eight rows of two columns from the picture's corner. 0 means no
    /// filters, 9 X-Trans.
    private let code: UInt32
    /// Meanings of the four numbers, from LibRaw's `cdesc`. 3 is the second green.
    private let colours: [CFAColour?]
    private let xTrans: [UInt8]

    /// Takes four letters, and 36 colours of the whole plane row by row.
    init(code: UInt32, colourNames: [UInt8], xTrans: [UInt8]) {
        self.code = code
        self.xTrans = xTrans
        colours = colourNames.map { name in
            switch name {
            case UInt8(ascii: "R"): .red
            case UInt8(ascii: "G"): .green
            case UInt8(ascii: "B"): .blue
            default: nil
            }
        }
    }

    var isNone: Bool { code == 0 }

    func colourIndex(row: Int, column: Int) -> Int {
        Int(code >> UInt32((((row << 1) & 14) | (column & 1)) << 1)) & 3
    }

    /// The 2 × 2 pattern of the whole plane; nil if the array is not a Bayer pattern. The margins are the picture's
    /// first column and row in the plane.
    func bayer(marginLeft: Int, marginTop: Int) -> [CFAColour]? {
        guard code >= 1000 else { return nil }
        var pattern: [CFAColour] = []
        for row in 0..<2 {
            for column in 0..<2 {
                guard let colour = colours[colourIndex(row: row + marginTop % 2, column: column + marginLeft % 2)]
                else { return nil }
                pattern.append(colour)
            }
        }
        return isBayer(pattern) && repeatsEveryTwoRows ? pattern : nil
    }

    private var repeatsEveryTwoRows: Bool {
        (2..<8).allSatisfy { row in
            (0..<2).allSatisfy { column in
                colours[colourIndex(row: row, column: column)] == colours[colourIndex(row: row % 2, column: column)]
            }
        }
    }

    /// The 6 × 6 pattern of the whole plane; nil unless it has three colours.
    var xTransPattern: [CFAColour]? {
        guard code == 9 else { return nil }
        let known = xTrans.compactMap { CFAColour(rawValue: $0) }
        return known.count == 36 && Set(known).count == 3 ? known : nil
    }
}

/// A Bayer pattern has green on one diagonal, red and blue on the other.
func isBayer(_ pattern: [CFAColour]) -> Bool {
    guard pattern.count == 4 else { return false }
    let greens = pattern[0] == .green ? [0, 3] : [1, 2]
    let others = pattern[0] == .green ? [1, 2] : [0, 3]
    return greens.allSatisfy { pattern[$0] == .green } && Set(others.map { pattern[$0] }) == [.red, .blue]
}
