import Looks

/// `.cube` files of other programs.
struct CubeFiles: ForeignReader {
    let name = "cube"

    func read(_ bytes: [UInt8]) throws { _ = try Look(file: bytes, fileName: "A.cube").stage(strength: 0.5) }
}
