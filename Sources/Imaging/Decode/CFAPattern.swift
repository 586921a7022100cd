import CLibRaw
import Pixels

/// The filter array of LibRaw's `filters` word: two bits a position, eight rows of two columns, seen from the
/// picture's corner; 3 is the second green.
struct CFAPattern {
    let filters: UInt32
    /// What each of the four numbers means, from LibRaw's `cdesc`.
    let colours: [CFAColour?]

    init(_ facts: CLibRawFacts) {
        filters = facts.filters
        let names = facts.colourNames
        colours = [names.0, names.1, names.2, names.3].map { name in
            switch UInt8(bitPattern: name) {
            case UInt8(ascii: "R"): .red
            case UInt8(ascii: "G"): .green
            case UInt8(ascii: "B"): .blue
            default: nil
            }
        }
    }

    func colourIndex(row: Int, column: Int) -> Int {
        Int(filters >> UInt32((((row << 1) & 14) | (column & 1)) << 1)) & 3
    }

    /// The 2 × 2 pattern of the whole plane; nil where the array is not a Bayer pattern.
    /// - Parameter margin: the picture's corner in the plane.
    func bayer(marginLeft: Int, marginTop: Int) -> [CFAColour]? {
        guard filters >= 1000 else { return nil }
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
}

extension CLibRawFacts {
    /// The 6 × 6 pattern of the whole plane; nil where it is not of three colours.
    var xTransPattern: [CFAColour]? {
        guard filters == 9 else { return nil }
        let pattern = withUnsafeBytes(of: xTrans) { Array($0) }.map { CFAColour(rawValue: $0) }
        let known = pattern.compactMap { $0 }
        return known.count == 36 && Set(known).count == 3 ? known : nil
    }
}

/// True for the pattern of Fujifilm's sensors, begun anywhere; other patterns of 6 × 6 are left to LibRaw.
///
/// Green stands in the corners and the centre of squares of 3 × 3; between them lie blue above and below and red beside
/// the centre, or the other way round, by turns.
func isXTrans(_ colours: [CFAColour]) -> Bool {
    guard colours.count == 36 else { return false }
    let pattern = "GBGGRGRGRBGBGBGGRGGRGGBGBGBRGRGRGGBG".utf8.map { letter -> CFAColour in
        letter == UInt8(ascii: "R") ? .red : letter == UInt8(ascii: "B") ? .blue : .green
    }
    return (0..<36).contains { start in
        (0..<36).allSatisfy { place in
            let y = (place / 6 + start / 6) % 6
            let x = (place % 6 + start % 6) % 6
            return colours[place] == pattern[y * 6 + x]
        }
    }
}
