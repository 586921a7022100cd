public import Jobs
internal import LibraryTables
public import PhotoTree
public import Storage

/// Distinguishes a RAW that was moved from one whose storage is not mounted or was replaced. The folder of a mount
/// point may hold other files, so a root counts as seen only while it has a RAW that the library knows there, with its
/// size, or after an operator named it with a file `.rawmill-root`. Functions throw `LibraryError`.
public final class RootRecognition {
    private let store: LibraryStore
    private let roots: Roots
    /// The RAW that last identified each root. While it is there, no other is searched for.
    private var witnesses: [RootName: FileStamp] = [:]
    private var nextLooks: [RootName: ContinuousClock.Instant] = [:]

    /// Unidentified roots with files under most of the names searched for.
    private var lookalikes: Set<RootName> = []
    /// Roots without any of the library's RAWs at the last check.
    public private(set) var unseen: Set<RootName> = []

    /// Number of random RAWs searched for before a root counts as not seen.
    private static let sampleSize = 256
    /// The pause before an unidentified root is checked again, because the sample reads all paths.
    private static let pause: Duration = .seconds(60)

    /// - Parameters:
    ///   - store: the library.
    ///   - roots: the folders on this machine.
    public init(store: LibraryStore, roots: Roots) {
        self.store = store
        self.roots = roots
    }

    /// True if a RAW is certainly gone: its root is seen without the file. False if this machine cannot know.
    ///
    /// - Parameter present: a RAW that a worker has just read, which may identify the root.
    public func isGone(_ raw: FileStamp, present: FileStamp? = nil) throws -> Bool {
        guard isMissing(raw) else { return false }
        if raw.file.root == .library { return true }
        // Checked after the file, because a mount that disappears in between takes both.
        guard let root = roots.mounted(raw.file.root.text), Self.lacks(root, raw) else { return false }
        return try isSeen(raw.file.root, root, present)
    }

    /// True if a RAW is missing from the root's present folder, which may be the wrong one.
    public func isMissing(_ raw: FileStamp) -> Bool {
        guard let opened = raw.file.root == .library ? store.root : roots[raw.file.root.text] else { return false }
        return Self.lacks(opened, raw)
    }

    /// True if a root is the folder of the library's RAWs.
    public func isSeen(_ name: RootName) throws -> Bool {
        if name == .library { return true }
        return try roots.mounted(name.text).map { try isSeen(name, $0, nil) } ?? false
    }

    /// True if a root may be that folder: it is seen, or has most of the sample with other sizes, as after a program
    /// wrote metadata to all of them. Another card may have such names too, so this is not enough to forget a path.
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
            try store.tables.files.sampleOfRaws(in: name, count: Self.sampleSize)
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

    /// Also false if the disk fails.
    private static func lacks(_ root: Root, _ raw: FileStamp) -> Bool {
        do throws(StorageError) { return try root.factsIfPresent(of: raw.file.path.bytes) == nil } catch {
            return false
        }
    }
}
