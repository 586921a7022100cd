import PictureFormat
import PixelKernels
import Pixels

/// The tables of a `.cube` file as an effect on display-encoded sRGB.
struct CubeEffect: ColourEffect {
    private let curves: CurveInterpolator?
    private let cube: TetrahedralInterpolator?

    let position = StagePosition.display
    let displaySpace: ColourSpace? = .sRGB

    init(_ file: CubeFile) {
        curves = file.curves.map(CurveInterpolator.init)
        cube = file.cube.map(TetrahedralInterpolator.init)
    }

    func process(_ row: PixelRow) {
        unsafe curves?.apply(row.red, row.green, row.blue, count: row.count)
        unsafe cube?.apply(row.red, row.green, row.blue, count: row.count)
    }
}

extension CurveInterpolator {
    fileprivate convenience init(_ curves: CubeFile.Curves) {
        self.init(
            size: curves.size, values: curves.values, minimum: curves.domain.minimum, maximum: curves.domain.maximum)
    }
}

extension TetrahedralInterpolator {
    fileprivate convenience init(_ cube: CubeFile.Cube) {
        self.init(size: cube.size, points: cube.values, minimum: cube.domain.minimum, maximum: cube.domain.maximum)
    }
}

extension Look {
    /// A look from the bytes of a `.cube` file, for display-encoded sRGB. That is what `.cube` files are made for unless
    /// their maker says otherwise; the file itself cannot say it.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - fileName: gives the look its name; characters that a name cannot hold become `-`.
    /// - Throws: `CubeError` naming the line.
    public init(cube bytes: [UInt8], fileName: String) throws(CubeError) {
        let file = try CubeFile(bytes)
        self.init(
            name: Self.name(fromFile: fileName), version: 1, summary: "The table of \(fileName).", input: .display,
            definition: "cube sRGB tetrahedral\n".utf8, table: bytes, effect: CubeEffect(file))
    }

    /// A look's name from a file's; characters that a name cannot hold become `-`.
    static func name(fromFile fileName: String) -> String {
        let base = fileName.split(separator: "/").last.map(String.init) ?? fileName
        let stem = base.lowercased().hasSuffix(".cube") ? String(base.dropLast(5)) : base
        let letters = stem.utf8.prefix(64).map { byte -> UInt8 in
            switch byte {
            case 0x30...0x39, 0x61...0x7A: byte
            case 0x41...0x5A: byte + 32
            default: 0x2D
            }
        }
        return letters.isEmpty ? "cube" : String(decoding: letters, as: UTF8.self)
    }
}
