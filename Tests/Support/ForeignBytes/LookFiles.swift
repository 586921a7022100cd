import Looks
import PNG

/// Looks in YAML, with tables in separate files or appended.
struct LookFiles: ForeignReader {
    let name = "looks"

    func read(_ bytes: [UInt8]) throws {
        let whole = try LookFile.whole(bytes) { (_: String) throws(LookError) in
            Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8)
        }
        _ = try Look(file: whole, fileName: "look").stage(strength: 0.5)
    }
}

/// Input of `rawmill looks import`: a table, or steps with tables. The imported look is read again, and must be the
/// same.
struct LookImports: ForeignReader {
    let name = "look-imports"

    func read(_ bytes: [UInt8]) throws {
        // Each space in turn, and none.
        let space = TableSpace.allCases.dropFirst(Int(bytes.last ?? 0) % (TableSpace.allCases.count + 1)).first
        let isDefinition = LookFile.isDefinition(bytes)
        let imported = try ImportedLook(bytes, fileName: "A b.cube", space: isDefinition ? nil : space) {
            (_: String) throws(LookError) in Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8)
        }
        let kept = try Look(file: imported.bytes, fileName: "look")
        let again = try ImportedLook(imported.bytes, fileName: "look") { (_: String) throws(LookError) in [] }
        precondition(kept.digest == imported.look.digest && again.bytes == imported.bytes, "a kept look stays itself")
        _ = kept.stage(strength: 0.5)
    }
}

/// Hald pictures.
struct HaldPictures: ForeignReader {
    let name = "hald"

    func read(_ bytes: [UInt8]) throws {
        _ = try Look(file: bytes, fileName: "hald.png").stage()
        _ = try TableReport(bytes, fileName: "hald.png")
    }
}

/// PNG pictures of any size.
struct PNGPictures: ForeignReader {
    let name = "png"

    func read(_ bytes: [UInt8]) throws { _ = try PNGPicture(bytes) }
}
