extension Root {
    /// Removes a folder recursively, without following links. Does nothing if it does not exist.
    public func removeTree(_ path: [UInt8]) throws(StorageError) {
        guard try factsIfPresent(of: path) != nil else { return }
        for entry in try entries(of: path) {
            let child = path + [UInt8(ascii: "/")] + entry.name
            if entry.kind == .folder { try removeTree(child) } else { _ = try remove(child) }
        }
        _ = try removeFolder(path)
    }
}
