/// Making a folder with all that is in it.
extension Root {
    /// What a folder's name ends in until it is whole.
    private static let unfinished = Array(".partial".utf8)

    /// Makes a folder that has its name once it is whole. One that was cut off leaves a folder whose name ends in `.partial`,
    /// which the next one of the same name replaces.
    ///
    /// - Parameters:
    ///   - path: of no file and no folder yet.
    ///   - fill: writes what is in it, durably, below the path that it gets.
    /// - Throws: `exists` if something has the name; `StorageError`; what `fill` throws.
    public func makeFolder(_ path: [UInt8], fill: ([UInt8]) throws -> Void) throws {
        guard try factsIfPresent(of: path) == nil else { throw StorageError(.exists, "make", path) }
        let unfinished = path + Self.unfinished
        if try factsIfPresent(of: unfinished) != nil { try removeTree(unfinished) }
        try createFolders(unfinished)
        try fill(unfinished)
        try move(unfinished, to: path)
    }
}
