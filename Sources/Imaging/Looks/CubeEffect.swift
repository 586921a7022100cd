import PictureFormat
import Pixels

/// The tables of a `.cube` file as an effect on display-encoded sRGB.
struct CubeEffect: RowStage {
    private let curves: CurveTable?
    private let cube: TetrahedralTable?
    let table: TableShare?

    let place = StagePlace.display
    let displaySpace: ColourSpace? = .sRGB

    init(_ file: CubeFile) {
        let curves = file.curves.map(CurveTable.init)
        self.curves = curves
        cube = file.cube.map(TetrahedralTable.init)
        table = file.cube.map { TableShare($0.table(after: curves)) }
    }

    func process(_ row: PixelRow) {
        curves?.apply(row)
        cube?.apply(row)
    }
}

extension Look {
    /// A look from the bytes of a `.cube` file, for display-encoded sRGB: what a `.cube` file is made for unless its
    /// maker says otherwise, because the file itself cannot say.
    ///
    /// - Parameter fileName: gives the look its name; what a name cannot hold becomes `-`.
    /// - Throws: `CubeError` naming the line.
    public init(cube bytes: [UInt8], fileName: String) throws(CubeError) {
        let file = try CubeFile(bytes)
        self.init(
            name: Self.name(fromFile: fileName), version: 1, summary: "The table of \(fileName).", input: .display,
            definition: "cube sRGB tetrahedral\n".utf8, table: bytes, effect: CubeEffect(file))
    }

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
