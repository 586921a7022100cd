public import Jobs
public import Storage

/// Tells a RAW that has left its place from one whose storage is not mounted, or is another one. The folder below a mount point may
/// hold files of its own, so that a root counts as seen only while there is a RAW in it that the library knows there, with its
/// size, or after an operator has named it by a file `.rawmill-root`.
public final class RootRecognition {
    private let store: LibraryStore
    private let roots: Roots
    /// The RAW by which a root was recognised last. As long as it is there, no other is looked for.
    private var witnesses: [RootName: FileStamp] = [:]
    private var nextLooks: [RootName: ContinuousClock.Instant] = [:]

    /// Of the roots that were not recognised, those that have files under most of the names that were looked for.
    private var lookalikes: Set<RootName> = []
    /// The roots in which the library knows RAWs, none of which was there when they were looked for last.
    public private(set) var unseen: Set<RootName> = []

    /// So many RAWs, taken at random, are looked for before a root counts as not seen.
    private static let sampleSize = 256
    /// How long a root that was not recognised is not looked at again: the sample is drawn from all paths.
    private static let pause: Duration = .seconds(60)

    /// - Parameters:
    ///   - store: the library.
    ///   - roots: the folders as they are on this machine.
    public init(store: LibraryStore, roots: Roots) {
        self.store = store
        self.roots = roots
    }

    /// True if a RAW is certainly not where it was: its root is seen, and the file is not in it. False where this machine cannot
    /// tell.
    ///
    /// - Parameter present: a RAW that a worker has just read, by which the root may be recognised.
    /// - Throws: `LibraryError`.
    public func isGone(_ raw: FileStamp, present: FileStamp? = nil) throws -> Bool {
        guard isMissing(raw) else { return false }
        if raw.file.root == .library { return true }
        // Looked at after the file: a mount that went away in between takes both along.
        guard let root = roots.mounted(raw.file.root.text), Self.lacks(root, raw) else { return false }
        return try isSeen(raw.file.root, root, present)
    }

    /// True if a RAW is not where it was in the folder that is its root's now, which need not be the right one.
    public func isMissing(_ raw: FileStamp) -> Bool {
        guard let opened = raw.file.root == .library ? store.root : roots[raw.file.root.text] else { return false }
        return Self.lacks(opened, raw)
    }

    /// Whether a root is the folder that the library's RAWs were in.
    ///
    /// - Throws: `LibraryError`.
    public func isSeen(_ name: RootName) throws -> Bool {
        if name == .library { return true }
        return try roots.mounted(name.text).map { try isSeen(name, $0, nil) } ?? false
    }

    /// Whether a root may be that folder: it is seen, or most of the RAWs that are looked for are there with other sizes, as after a
    /// program wrote metadata into all of them. Another card may have such names as well, so this is not enough to forget a path.
    ///
    /// - Throws: `LibraryError`.
    public func mayBeSeen(_ name: RootName) throws -> Bool { try isSeen(name) || lookalikes.contains(name) }

    private func isSeen(_ name: RootName, _ root: Root, _ present: FileStamp?) throws -> Bool {
        let known = [witnesses[name], present].compactMap(\.self).first { $0.file.root == name && Self.holds(root, $0) }
        if let witness = try known ?? witness(of: name, in: root) {
            witnesses[name] = witness
        } else if (try? FolderSample.isMarked(root)) != true {
            return false
        }
        unseen.remove(name)
        return true
    }

    private func witness(of name: RootName, in root: Root) throws -> FileStamp? {
        if let nextLook = nextLooks[name], .now < nextLook { return nil }
        let sample = try LibraryError.wrapping(store.folder) {
            try store.files.sampleOfRaws(in: name, count: Self.sampleSize)
        }
        if let witness = sample.first(where: { Self.holds(root, $0) }) { return witness }
        nextLooks[name] = .now + Self.pause
        let there = sample.count { !Self.lacks(root, $0) }
        if there * 2 > sample.count { lookalikes.insert(name) } else { lookalikes.remove(name) }
        if !sample.isEmpty { unseen.insert(name) }
        return nil
    }

    private static func holds(_ root: Root, _ raw: FileStamp) -> Bool {
        guard let facts = try? root.factsIfPresent(of: raw.file.path.bytes) else { return false }
        return facts.kind == .file && facts.sizeBytes == raw.sizeBytes
    }

    /// False also where the disk does not say.
    private static func lacks(_ root: Root, _ raw: FileStamp) -> Bool {
        do throws(StorageError) { return try root.factsIfPresent(of: raw.file.path.bytes) == nil } catch {
            return false
        }
    }
}
