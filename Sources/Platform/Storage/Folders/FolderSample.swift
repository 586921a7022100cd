/// A sample of a folder's entries, by which another machine recognises the folder. It needs only names and sizes, so it
/// also works for read-only folders, on any device and mount.
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

    /// Content of the file `.rawmill-root`, placed by an operator; nil if missing. If present, it alone decides.
    public let mark: String?
    /// Sorted by path.
    public let entries: [Entry]

    /// The file by which an operator names a folder.
    public static let markPath = Array(".rawmill-root".utf8)
    /// Length limit of that file's text.
    public static let maxMarkBytes = 256
    private static let maxEntries = 16
    private static let maxFolders = 4

    /// - Parameters:
    ///   - mark: content of `.rawmill-root`; nil if missing.
    ///   - entries: in any order.
    public init(mark: String?, entries: [Entry]) {
        self.mark = mark
        self.entries = entries.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    }

    /// True if the folder had nothing to recognise it by.
    public var isEmpty: Bool { mark == nil && entries.isEmpty }

    /// Samples the folder and some of its subfolders. The choice depends only on names, so that a growing folder keeps
    /// most of its sample.
    public init(of root: Root) throws(StorageError) {
        let top = try Self.entries(of: [], in: root)
        var all = top
        for folder in top.filter({ $0.sizeBytes == nil }).prefix(Self.maxFolders) {
            // An unreadable subfolder counts as empty.
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
            // Hidden entries come and go, such as trash and thumbnails.
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

    // MARK: - Recognition

    /// Whether a folder is the sampled one: it has the same mark or, without a mark, one of the files with its size, or
    /// half of the folders. One file suffices, because users move and delete files, and a folder whose mount is missing
    /// has none.
    ///
    /// - Throws: an error of the folder, not of missing entries.
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

    /// Whether less than half of the entries are unchanged, so that a new sample is due.
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
