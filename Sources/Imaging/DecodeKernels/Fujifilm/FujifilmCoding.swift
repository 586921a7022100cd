public import Pixels

/// How a Fujifilm RAF compresses samples: strips of 768 columns, each a stream of its own, in which six rows of the
/// sensor are three lines of red, six of green and three of blue (LibRaw's `fuji_compressed_load_raw` by A. Danilchenko,
/// 2016).
public struct FujifilmCoding: Hashable, Sendable {
    /// Columns of a strip. Those of the last one that are beyond the sensor are coded, too.
    public static let stripWidth = 768
    /// Rows that are coded together.
    public static let rowsTogether = 6

    /// Of a sample: 12, 14 or 16.
    let bits: Int
    /// How far samples may be from those that were coded: by strip, of every six rows. Nil without loss.
    public var tolerances: [[UInt8]]?
    /// Which of two forms strips have; it must be that of the file.
    public let isXTrans: Bool
    /// By row: where the samples of the first two or six columns are.
    let rows: [[Place]]

    /// A line and a sample in it. Behind as many columns as there are places, lines go on by one sample, or for X-Trans four.
    struct Place: Hashable, Sendable {
        let line: Int
        let sample: Int
    }

    /// Nil for other numbers of bits, and for sensors without such filters.
    ///
    /// - Parameter layout: of the whole sensor.
    public init?(bits: Int, layout: SensorLayout) {
        guard [12, 14, 16].contains(bits) else { return nil }
        self.bits = bits
        let pattern: [CFAColour]
        switch layout {
        case .bayer(let colours): (isXTrans, pattern) = (false, colours)
        case .xTrans(let colours): (isXTrans, pattern) = (true, colours)
        case .monochrome, .linearRGB: return nil
        }
        let period = isXTrans ? 6 : 2
        guard pattern.count == period * period else { return nil }
        // Three columns share two samples of a line.
        let samples = isXTrans ? [0, 1, 1, 2, 3, 3] : [0, 0]
        rows = (0..<Self.rowsTogether).map { row in
            (0..<period).map { column in
                let line =
                    switch pattern[row % period * period + column] {
                    case .red: FujifilmLines.red + row / 2
                    case .green: FujifilmLines.green + row
                    case .blue: FujifilmLines.blue + row / 2
                    }
                return Place(line: line, sample: samples[column])
            }
        }
    }

    /// Samples of a line.
    var lineWidth: Int { isXTrans ? Self.stripWidth / 3 * 2 : Self.stripWidth / 2 }

    /// Of the strip that begins in a column.
    func tolerances(x: Int) -> [UInt8]? {
        guard let tolerances, tolerances.indices.contains(x / Self.stripWidth) else { return nil }
        return tolerances[x / Self.stripWidth]
    }
}
