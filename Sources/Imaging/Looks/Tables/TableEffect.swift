import ColourScience
import Digest
import PictureFormat
import Pixels

/// An sRGB table as an effect on display-encoded sRGB.
struct TableEffect: LookEffect {
    private let table: LookupTable.Interpolator

    let position = StagePosition.display
    let displaySpace: ColourSpace? = .sRGB

    /// - Parameter space: display colours of the table.
    static func of(_ table: LookupTable, _ space: TableSpace) -> any LookEffect {
        space == .sRGB ? TableEffect(table: .init(table)) : ConvertedTableEffect(table: .init(table), space: space)
    }

    func process(_ row: PixelRow) { table.process(row) }
}

/// A table for other display colours, with conversion from and to sRGB around it.
private struct ConvertedTableEffect: LookEffect {
    private let table: LookupTable.Interpolator
    private let space: TableSpace
    private let there: [Double]
    private let back: [Double]

    let position = StagePosition.display
    let displaySpace: ColourSpace? = .sRGB

    init(table: LookupTable.Interpolator, space: TableSpace) {
        self.table = table
        self.space = space
        there = (space.primaries.fromXYZ * RGBPrimaries.rec709.toXYZ).elements
        back = (RGBPrimaries.rec709.fromXYZ * space.primaries.toXYZ).elements
    }

    func process(_ row: PixelRow) {
        row.eights { colour in
            ColourVectors.clipped(
                ColourVectors.product(there, colour.map { TransferFunction.decode($0, .sRGB) })
            ).map(space.encode)
        }
        table.process(row)
        row.eights { colour in
            let light = ColourVectors.clipped(colour).map(space.decode)
            return ColourVectors.clipped(ColourVectors.product(back, light)).map { TransferFunction.encode($0, .sRGB) }
        }
    }
}

/// A table for logarithmic scene light, which renders the picture like a film.
struct TableFilm: FilmStage {
    private let table: LookupTable.Interpolator
    private let log: LogEncoding
    private let there: [Double]
    private let back: [Double]

    let key: String
    let share: Float = 1
    let texture: FilmTexture? = nil

    /// Creates a film; nil for a table of display colours.
    ///
    /// - Parameter digest: of the table's bytes.
    init?(_ table: LookupTable, _ space: TableSpace, digest: SHA256Value) {
        guard let log = space.log else { return nil }
        self.table = .init(table)
        self.log = log
        there = log.fromRec2020
        back = (RGBPrimaries.rec2020.fromXYZ * RGBPrimaries.rec709.toXYZ).elements
        key = "table \(space.rawValue) \(digest)\n"
    }

    func render(_ row: PixelRow) {
        row.eights { ColourVectors.product(there, $0).map(log.encode) }
        table.process(row)
        row.eights { colour in
            ColourVectors.product(back, ColourVectors.clipped(colour).map(TableSpace.rec709.decode))
        }
    }
}

/// Eight colours: a vector for each of red, green and blue.
enum ColourVectors {
    typealias Vector = DeterministicMath.Vector

    /// - Parameter m: 3 × 3, row by row.
    static func product(_ m: [Double], _ v: [Vector]) -> [Vector] {
        (0..<3).map { row in
            let (red, green, blue) = (m[3 * row] * v[0], m[3 * row + 1] * v[1], m[3 * row + 2] * v[2])
            return red + green + blue
        }
    }

    /// Clips to 0…1. NaN becomes 0.
    static func clipped(_ v: [Vector]) -> [Vector] {
        v.map { pointwiseMin($0.replacing(with: 0, where: .!($0 .> 0)), .one) }
    }
}

extension PixelRow {
    /// Replaces the row's colours with a function of eight at a time.
    func eights(_ function: ([ColourVectors.Vector]) -> [ColourVectors.Vector]) {
        for start in stride(from: 0, to: count, by: ColourVectors.Vector.scalarCount) {
            let count = min(ColourVectors.Vector.scalarCount, count - start)
            func eight(_ plane: UnsafeMutablePointer<Float>) -> ColourVectors.Vector {
                var vector = ColourVectors.Vector(repeating: 0.18)
                for i in 0..<count { vector[i] = unsafe Double(plane[start + i]) }
                return vector
            }
            let result = unsafe function([eight(red), eight(green), eight(blue)])
            for i in 0..<count {
                unsafe red[start + i] = Float(result[0][i])
                unsafe green[start + i] = Float(result[1][i])
                unsafe blue[start + i] = Float(result[2][i])
            }
        }
    }
}
