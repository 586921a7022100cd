internal import Jobs
internal import Storage

/// Walks source folders one after another, with the folders below each of them.
///
/// The order depends only on the names: in a folder by family name, then by name, as bytes; a subfolder is visited
/// where its name stands. Links are not followed, so there are no loops. Hidden files and folders, those of systems
/// (`PassedOver`), and the library are skipped.
///
/// Memory does not grow with the number of files: the listings of all folders on the current path share one budget. At
/// most two descriptors are open.
final class Walk {
    private let roots: RootMap
    private let library: FileID?
    private let filter: SourceFilter
    private let listings: ListingDatabase
    private var sources: ArraySlice<SourceFolder>
    private var base: OpenFolder?
    private var frames: [FolderFrame] = []
    /// The last frame's folder; nil if it must be opened again.
    private var current: OpenFolder?
    private var items: ArraySlice<WalkItem> = []
    private(set) var tally = WalkTally()

    /// - Parameters:
    ///   - library: a folder to skip.
    ///   - cacheBytes: memory for listings; the excess is sorted on disk.
    init(
        _ sources: [SourceFolder], roots: RootMap, library: FileID? = nil, filter: SourceFilter = SourceFilter(),
        cacheBytes: Int = 2 << 20
    ) throws(WalkError) {
        self.filter = filter
        self.sources = sources[...]
        self.roots = roots
        self.library = library
        listings = try ListingDatabase(cacheBytes: cacheBytes)
    }

    func next() throws(WalkError) -> WalkItem? {
        while true {
            if let item = items.popFirst() { return item }
            if let frame = frames.last {
                try readFamily(of: frame)
            } else if let source = sources.popFirst() {
                try begin(source)
            } else {
                return nil
            }
        }
    }

    private func begin(_ source: SourceFolder) throws(WalkError) {
        do throws(StorageError) {
            let folder = try OpenFolder(absolutePath: source.path)
            base = folder
            current = folder
        } catch {
            return report(.unreadableFolder, source.path, error)
        }
        let selection: Set<[UInt8]>? = if case .files(let names) = source.extent { names } else { nil }
        try enter(path: source.path, root: source.root, relative: source.relative, selection: selection)
    }

    private func readFamily(of frame: FolderFrame) throws(WalkError) {
        if let name = frame.folders.popLast() { return try descend(into: name, of: frame) }
        guard let family = try frame.listing.nextFamily(), let folder = reopen(frame) else { return leave() }
        var reader = FamilyReader(
            frame: frame, folder: folder, rootPath: roots.path(of: frame.root) ?? frame.path, filter: filter,
            below: base.flatMap { frame.path.below($0.path) } ?? [])
        reader.read(family)
        tally.add(reader.tally)
        items = reader.items[...]
        if frame.selection == nil { frame.folders = reader.folders.reversed() }
    }

    private func descend(into name: [UInt8], of frame: FolderFrame) throws(WalkError) {
        let path = frame.path.child(name)
        guard let folder = reopen(frame) else { return leave() }
        let child: OpenFolder
        do throws(StorageError) {
            child = try folder.openFolder(name)
            if try child.id() == library { return }
        } catch {
            return report(.unreadableFolder, path, error)
        }
        current = child
        if let root = roots.root(at: path) {
            try enter(path: path, root: root, relative: [])
        } else if let file = frame.file(name) {
            try enter(path: path, root: frame.root, relative: file.path.bytes)
        } else {
            current = nil
            items.append(.problem(WalkProblem(.pathTooLong, path)))
        }
    }

    /// Lists the current folder and makes it the last frame.
    private func enter(
        path: [UInt8], root: RootName, relative: [UInt8], selection: Set<[UInt8]>? = nil
    ) throws(WalkError) {
        guard let folder = current else { return }
        let id: FileID
        var reader: FolderReader
        do throws(StorageError) {
            id = try folder.id()
            reader = try folder.reader()
        } catch {
            current = nil
            return report(.unreadableFolder, path, error)
        }
        // A folder that fails half-way has the entries read so far.
        let (listing, failure) = try listings.sort { () throws(StorageError) in try reader.next() }
        if let failure { report(.unreadableFolder, path, failure) } else { items.append(.folder) }
        tally.folders += selection == nil ? 1 : 0
        frames.append(
            FolderFrame(
                path: path, root: root, relative: relative, id: id, listing: listing, selection: selection))
    }

    private func leave() {
        frames.removeLast()
        current = nil
    }

    /// The frame's folder. It is opened again, from the source folder on, after the walk was further down. Nil, with a
    /// report, if it was moved or replaced meanwhile.
    private func reopen(_ frame: FolderFrame) -> OpenFolder? {
        if let current { return current }
        guard var folder = base, let below = frame.path.below(folder.path) else { return nil }
        let id: FileID
        do throws(StorageError) {
            for part in below.split(separator: .slash) { folder = try folder.openFolder(Array(part)) }
            id = try folder.id()
        } catch {
            report(.unreadableFolder, frame.path, error)
            return nil
        }
        guard id == frame.id else {
            let problem = WalkProblem(.unreadableFolder, frame.path, cause: "it was replaced during the walk")
            items.append(.problem(problem))
            return nil
        }
        current = folder
        return folder
    }

    private func report(_ kind: WalkProblem.Kind, _ path: [UInt8], _ error: StorageError) {
        items.append(.problem(WalkProblem(kind, path, cause: error.systemMessage)))
    }
}
