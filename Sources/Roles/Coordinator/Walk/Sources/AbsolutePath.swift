/// Absolute and real paths, as bytes: they begin with a slash, end in one only for `/`, and have no `.`, `..` or link.
extension [UInt8] {
    /// The path below a folder: empty for the folder itself, nil for a path that is not below it.
    func below(_ folder: [UInt8]) -> ArraySlice<UInt8>? {
        if folder == [.slash] { return dropFirst() }
        guard starts(with: folder) else { return nil }
        if count == folder.count { return [] }
        return self[folder.count] == .slash ? self[(folder.count + 1)...] : nil
    }

    func child(_ name: some Sequence<UInt8>) -> [UInt8] { (self == [.slash] ? self : self + [.slash]) + name }

    /// The file's folder and its name; nil for `/`.
    var parent: (folder: [UInt8], name: [UInt8])? {
        guard count > 1, let slash = lastIndex(of: .slash) else { return nil }
        return (slash == 0 ? [.slash] : Array(self[..<slash]), Array(self[(slash + 1)...]))
    }

    /// The path, then the folders above it up to `/`.
    var withFoldersAbove: some Sequence<[UInt8]> { sequence(first: self) { $0.parent?.folder } }
}
