extension LookupTable {
    /// Larger `.cube` files are refused before they are read.
    static let maxCubeBytes = 128 << 20

    /// - Throws: `CubeError` naming the line.
    init(cube bytes: [UInt8]) throws(CubeError) {
        guard bytes.count <= Self.maxCubeBytes else {
            throw CubeError(
                "the file has more than \(Self.maxCubeBytes >> 20) MB", "use a table of fewer points, 33 or 65 an edge")
        }
        var parser = CubeParser()
        try parser.parse(bytes)
        self = try parser.finish()
    }

    /// Reads a table of either kind, identified by its first bytes.
    ///
    /// - Throws: `LookError` with problem and place.
    init(_ bytes: [UInt8]) throws(LookError) {
        if HaldPicture.isOne(bytes) {
            self = try HaldPicture.table(bytes)
            return
        }
        do throws(CubeError) { try self.init(cube: bytes) } catch { throw LookError("\(error)") }
    }
}
