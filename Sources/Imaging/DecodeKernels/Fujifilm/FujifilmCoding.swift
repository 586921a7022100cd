public import Pixels

/// Parameters of compressed Fujifilm RAFs: strips of 768 columns, each a separate stream. Six sensor rows are three
/// lines of red, six of green and three of blue (LibRaw's `fuji_compressed_load_raw` by A. Danilchenko, 2016).
public struct FujifilmCoding: Hashable, Sendable {
    /// Columns of a strip. The last strip also codes columns beyond the sensor.
    public static let stripWidth = 768
    /// Rows coded together.
    public static let rowsTogether = 6

    /// 12, 14 or 16 per sample.
    let bits: Int
    /// Maximum error of samples, by strip and for every six rows; nil if lossless.
    public var tolerances: [[UInt8]]?
    /// Whether strips have the X-Trans form, which must match the file.
    public let isXTrans: Bool
    /// Places of the first two or six samples, by row.
    let rows: [[Place]]

    /// A line and a sample in it. After one period of columns, the index grows by one, or by four for X-Trans.
    struct Place: Hashable, Sendable {
        let line: Int
        let sample: Int
    }

    /// Creates the parameters; nil for an unsupported number of bits or filter array.
    ///
    /// - Parameter layout: layout of the whole sensor.
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

    /// In samples.
    var lineWidth: Int { isXTrans ? Self.stripWidth / 3 * 2 : Self.stripWidth / 2 }

    /// Tolerances of the strip that starts at column `x`.
    func tolerances(x: Int) -> [UInt8]? {
        guard let tolerances, tolerances.indices.contains(x / Self.stripWidth) else { return nil }
        return tolerances[x / Self.stripWidth]
    }
}
