extension Root {
    /// Creates a folder that gets its name once it is complete. Until then it is called `NAME.partial-` and digits; a
    /// killed process leaves that behind.
    ///
    /// - Parameters:
    ///   - path: must not exist.
    ///   - fill: durably writes the contents below the path it receives. They are removed if it throws.
    /// - Throws: `exists` if the name is taken; `StorageError`; the errors of `fill`.
    public func makeFolder(_ path: [UInt8], fill: ([UInt8]) throws -> Void) throws {
        guard try factsIfPresent(of: path) == nil else { throw StorageError(.exists, "make", path) }
        // Random, so that it belongs to no user or concurrent process.
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
