import PictureFormat
import Pixels

extension Look {
    /// Creates a look from a `.cube` file or a Hald picture for display-encoded sRGB, the usual space of tables; the
    /// files cannot state another.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - fileName: source of the look's name; characters that a name cannot hold become `-`.
    /// - Throws: `LookError` naming the line.
    init(table bytes: [UInt8], fileName: String) throws(LookError) {
        let table = try LookupTable(bytes)
        let kind = HaldPicture.isOne(bytes) ? "hald" : "cube"
        self.init(
            name: Self.name(fromFile: fileName), version: 1, hasOwnVersion: false,
            summary: "The table of \(fileName).", input: .display,
            definition: "\(kind) sRGB tetrahedral\n".utf8, table: bytes, effect: TableEffect.of(table, .sRGB))
    }

    /// File endings of looks, in lower case.
    public static let fileEndings = [".cube", ".png", ".yaml", ".yml"]
    static let tableEndings = [".cube", ".png"]

    /// A look's name from a file's; characters that a name cannot hold become `-`.
    public static func name(fromFile fileName: String) -> String {
        let base = fileName.split(separator: "/").last.map(String.init) ?? fileName
        let ending = fileEndings.first { base.lowercased().hasSuffix($0) } ?? ""
        let stem = String(base.dropLast(ending.count))
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
