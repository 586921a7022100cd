/// The colour filter array of Fujifilm's X-Trans sensors, 6 × 6 samples.
///
/// Green lies in the corners and the centre of squares of 3 × 3. In one square, blue lies above and below the centre,
/// red to its left and right; in the four neighbouring squares, red and blue are exchanged.
public enum XTransPattern {
    /// Samples of a period in both directions.
    public static let period = 6

    /// The 36 colours, row by row.
    public static let colours: [CFAColour] = "GBGGRGRGRBGBGBGGRGGRGGBGBGBRGRGRGGBG".utf8.map { letter in
        letter == UInt8(ascii: "R") ? .red : letter == UInt8(ascii: "B") ? .blue : .green
    }

    /// Column and row, 0…5, at which these 36 colours begin in the pattern.
    ///
    /// Nil unless the colours, row by row, are a shifted copy of the pattern.
    public static func origin(of other: [CFAColour]) -> (x: Int, y: Int)? {
        guard other.count == colours.count else { return nil }
        let start = other.indices.first { start in
            other.indices.allSatisfy { index in
                let x = (index % period + start % period) % period
                let y = (index / period + start / period) % period
                return other[index] == colours[y * period + x]
            }
        }
        return start.map { ($0 % period, $0 / period) }
    }
}

extension SensorLayout {
    /// Period of the filter colours in both directions, in pixels.
    public var period: Int {
        switch self {
        case .bayer: 2
        case .xTrans: XTransPattern.period
        case .monochrome, .linearRGB: 1
        }
    }

    /// Channel of a sample of the plane: 0 red, 1 green, 2 blue. A monochrome sensor's only channel counts as green.
    ///
    /// - Parameters:
    ///   - x: the sample's column, 0 or more. For `linearRGB` each pixel has three columns.
    ///   - y: its row, 0 or more.
    public func channel(x: Int, y: Int) -> Int {
        switch self {
        case .bayer(let pattern): Int(pattern[(y & 1) * 2 + (x & 1)].rawValue)
        case .xTrans(let pattern): Int(pattern[y % 6 * 6 + x % 6].rawValue)
        case .linearRGB: x % 3
        case .monochrome: 1
        }
    }
}
