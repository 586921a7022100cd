/// Some of the entries that a folder held when the sample was taken, by which another machine recognises the folder. It is made of names and
/// sizes alone, so that it works for a folder that must not be written to, on any device and any mount.
public struct FolderSample: Hashable, Sendable {
    /// A file or folder.
    public struct Entry: Hashable, Sendable {
        /// Relative to the sampled folder.
        public let path: [UInt8]
        /// Nil for a folder.
        public let sizeBytes: UInt64?

        /// - Parameters:
        ///   - path: relative to the sampled folder.
        ///   - sizeBytes: nil for a folder.
        public init(path: [UInt8], sizeBytes: UInt64?) {
            self.path = path
            self.sizeBytes = sizeBytes
        }
    }

    /// What the file `.rawmill-root` holds, which an operator placed; nil without one. It then decides alone.
    public let mark: String?
    /// Sorted by path.
    public let entries: [Entry]

    /// The file by which an operator names a folder.
    public static let markPath = Array(".rawmill-root".utf8)
    /// The longest text of that file.
    public static let maxMarkBytes = 256
    /// Of each folder so many entries are kept.
    private static let maxEntries = 16
    /// So many of its folders are looked into.
    private static let maxFolders = 4

    /// - Parameters:
    ///   - mark: what the file `.rawmill-root` holds; nil without one.
    ///   - entries: files and folders, in any order.
    public init(mark: String?, entries: [Entry]) {
        self.mark = mark
        self.entries = entries.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    }

    /// True if nothing was there by which the folder could be recognised.
    public var isEmpty: Bool { mark == nil && entries.isEmpty }

    /// Looks at the folder and at some of the folders in it. Which entries it keeps depends on their names alone, so that
    /// a folder that grows keeps most of its sample.
    public init(of root: Root) throws(StorageError) {
        let top = try Self.entries(of: [], in: root)
        var all = top
        for folder in top.filter({ $0.sizeBytes == nil }).prefix(Self.maxFolders) {
            // A folder that may not be read says as much as one that is empty.
            all += (try? Self.entries(of: folder.path, in: root)) ?? []
        }
        self.init(mark: try Self.mark(of: root), entries: all)
    }

    private static func mark(of root: Root) throws(StorageError) -> String? {
        guard try root.factsIfPresent(of: markPath) != nil else { return nil }
        let bytes = try root.prefix(of: markPath, byteCount: maxMarkBytes)
        let text = String(decoding: bytes, as: UTF8.self).filter { $0 != "\0" }
        let mark = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return mark.isEmpty ? nil : mark
    }

    private static func entries(of folder: [UInt8], in root: Root) throws(StorageError) -> [Entry] {
        var chosen: [(rank: UInt64, entry: FolderEntry)] = []
        try root.forEachEntry(of: folder) { (entry) throws(StorageError) in
            // Hidden names come and go: the trash, the thumbnails of other programs.
            guard entry.name.first != UInt8(ascii: "."), entry.kind == .file || entry.kind == .folder else { return }
            let rank = Self.rank(entry.name)
            guard chosen.count < maxEntries || rank < chosen[chosen.count - 1].rank else { return }
            chosen.insert((rank, entry), at: chosen.firstIndex { $0.rank > rank } ?? chosen.count)
            if chosen.count > maxEntries { chosen.removeLast() }
        }
        return chosen.compactMap { _, entry in
            let path = folder.isEmpty ? entry.name : folder + [UInt8(ascii: "/")] + entry.name
            if entry.kind == .folder { return Entry(path: path, sizeBytes: nil) }
            return (try? root.facts(of: path)).map { Entry(path: path, sizeBytes: $0.sizeBytes) }
        }
    }

    /// FNV-1a (Fowler, Noll, Vo).
    private static func rank(_ name: [UInt8]) -> UInt64 {
        name.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    // MARK: - Recognising

    /// Whether a folder is the one of the sample: it has the same mark; or, without a mark, one of the files with its size,
    /// or half of the folders. One file is enough, because files are moved and deleted, and a folder whose mount is missing
    /// has none of them.
    ///
    /// - Throws: an error of the folder itself, not of an entry that is missing.
    public func matches(_ root: Root) throws(StorageError) -> Bool {
        if let mark { return try Self.mark(of: root) == mark }
        guard !entries.isEmpty else { return true }
        var folders = 0
        for entry in entries {
            guard let facts = try root.factsIfPresent(of: entry.path) else { continue }
            switch (entry.sizeBytes, facts.kind) {
            case (let size?, .file): if facts.sizeBytes == size { return true }
            case (nil, .folder): folders += 1
            default: break
            }
        }
        return folders > 0 && folders * 2 >= entries.count { $0.sizeBytes == nil }
    }

    /// Whether an operator has named the folder.
    public static func isMarked(_ root: Root) throws(StorageError) -> Bool { try mark(of: root) != nil }

    /// Whether less than half of the entries are still there as they were. A new sample should be taken before none is.
    public func isFading(in root: Root) throws(StorageError) -> Bool {
        if mark != nil { return false }
        var found = 0
        for entry in entries {
            guard let facts = try root.factsIfPresent(of: entry.path) else { continue }
            let isSame = entry.sizeBytes.map { facts.kind == .file && facts.sizeBytes == $0 } ?? (facts.kind == .folder)
            if isSame { found += 1 }
        }
        return found * 2 < entries.count
    }
}
