/// Making a folder with all that is in it.
extension Root {
    /// Makes a folder that has its name once it is whole. Until then it has a name of its own beside it, `NAME.partial-` and
    /// digits; a process that is killed leaves that.
    ///
    /// - Parameters:
    ///   - path: of no file and no folder yet.
    ///   - fill: writes what is in it, durably, below the path that it gets. If it fails, what it wrote is removed.
    /// - Throws: `exists` if something has the name; `StorageError`; what `fill` throws.
    public func makeFolder(_ path: [UInt8], fill: ([UInt8]) throws -> Void) throws {
        guard try factsIfPresent(of: path) == nil else { throw StorageError(.exists, "make", path) }
        // Nobody else's: neither a person's nor that of a process that makes a folder of the same name.
        let unfinished = path + Array(".partial-\(String(UInt64.random(in: 0 ... .max), radix: 16))".utf8)
        try createFolders(unfinished)
        do {
            try fill(unfinished)
            try move(unfinished, to: path)
        } catch {
            try? removeTree(unfinished)
            throw error
        }
    }
}
