import Looks
import PNG

/// Looks in YAML, with their tables beside them or behind them.
struct LookFiles: ForeignReader {
    let name = "looks"

    func read(_ bytes: [UInt8]) throws {
        let whole = try LookFile.whole(bytes) { (_: String) throws(LookError) in
            Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8)
        }
        _ = try Look(file: whole, fileName: "look").stage(strength: 0.5)
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
