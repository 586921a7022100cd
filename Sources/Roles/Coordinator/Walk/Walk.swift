internal import Jobs

/// Visits the areas one after another, folder by folder, in an order that depends on the names alone: in a folder by
/// family name, then by name, as bytes, going into a folder where it stands.
///
/// Memory does not grow with the number of files, in one folder or in many: of each folder from the area's own down to
/// where the walk is, the listing stays, and all of them share one budget. Two descriptors are open at most. No link is
/// followed, so there are no loops. Hidden files and folders are passed by, and so is the library.
final class Walk {
    private let roots: RootMap
    private let library: FolderIdentity?
    private let scratchFolder: String?
    private let budget: ListingBudget
    private var areas: ArraySlice<SourceFolder>
    private var base: OpenFolder?
    private var basePath: [UInt8] = []
    private var frames: [FolderFrame] = []
    /// The last frame's folder; nil where it has to be opened again.
    private var current: OpenFolder?
    private var ready: ArraySlice<WalkItem> = []
    private(set) var tally = WalkTally()

    /// - Parameters:
    ///   - library: is not gone into when it is met on the way.
    ///   - budgetBytes: memory for listings; more is sorted in a scratch file in `scratchFolder`.
    init(
        areas: [SourceFolder], roots: RootMap, library: FolderIdentity? = nil, budgetBytes: Int = 2 << 20,
        scratchFolder: String? = nil
    ) {
        self.areas = areas[...]
        self.roots = roots
        self.library = library
        self.scratchFolder = scratchFolder
        budget = ListingBudget(limitBytes: budgetBytes)
    }

    /// Nil at the end.
    func next() throws(WalkError) -> WalkItem? {
        while true {
            if let item = ready.popFirst() { return item }
            if let frame = frames.last {
                try advance(in: frame)
            } else if let area = areas.popFirst() {
                try begin(area)
            } else {
                return nil
            }
        }
    }

    private func begin(_ area: SourceFolder) throws(WalkError) {
        do throws(SystemError) {
            let folder = try OpenFolder.open(area.path)
            base = folder
            current = folder
        } catch {
            return report(.unreadableFolder, area.path, error)
        }
        basePath = area.path
        let selection: Set<[UInt8]>? = if case .files(let names) = area.extent { names } else { nil }
        try enter(path: area.path, root: area.root, relative: area.relative, selection: selection)
    }

    private func advance(in frame: FolderFrame) throws(WalkError) {
        if let name = frame.folders.popLast() { return try descend(into: name, of: frame) }
        guard let family = try frame.listing.nextFamily() else { return leave() }
        guard let folder = openAgain(frame) else { return leave() }
        var reader = FamilyReader(frame: frame, folder: folder, rootPath: roots.path(of: frame.root) ?? frame.path)
        reader.read(family)
        tally.add(reader.tally)
        ready = reader.items[...]
        if frame.selection == nil { frame.folders = reader.folders.reversed() }
    }

    private func descend(into name: [UInt8], of frame: FolderFrame) throws(WalkError) {
        let path = frame.path.child(name)
        guard let folder = openAgain(frame) else { return leave() }
        let child: OpenFolder
        do throws(SystemError) { child = try folder.open(name) } catch {
            return report(.unreadableFolder, path, error)
        }
        if child.identity == library { return }
        current = child
        if let root = roots.root(at: path) {
            try enter(path: path, root: root, relative: [])
        } else if let file = frame.file(name) {
            try enter(path: path, root: frame.root, relative: file.path.bytes)
        } else {
            current = nil
            ready.append(.problem(WalkProblem(.pathTooLong, path)))
        }
    }

    /// Lists the current folder and makes it the last frame.
    private func enter(path: [UInt8], root: RootName, relative: [UInt8], selection: Set<[UInt8]>? = nil)
        throws(WalkError)
    {
        guard let folder = current else { return }
        let listing = Listing(budget: budget, scratchFolder: scratchFolder)
        // A folder that fails half-way through gives what it gave.
        let failure = try folder.list { (name, type) throws(WalkError) in try listing.append(name, type: type) }
        if let failure { report(.unreadableFolder, path, failure) } else { ready.append(.folder) }
        try listing.finish()
        tally.folders += selection == nil ? 1 : 0
        frames.append(
            FolderFrame(
                path: path, root: root, relative: relative, identity: folder.identity, listing: listing,
                selection: selection))
    }

    private func leave() {
        frames.removeLast()
        current = nil
    }

    /// The frame's folder, opened anew from the area's own after the walk was further down; nil, after reporting, for
    /// one that was moved or replaced meanwhile.
    private func openAgain(_ frame: FolderFrame) -> OpenFolder? {
        if let current { return current }
        guard var folder = base, let below = frame.path.below(basePath) else { return nil }
        do throws(SystemError) {
            for part in below.split(separator: .slash) { folder = try folder.open(Array(part)) }
        } catch {
            report(.unreadableFolder, frame.path, error)
            return nil
        }
        guard folder.identity == frame.identity else {
            ready.append(
                .problem(WalkProblem(.unreadableFolder, frame.path, cause: "it was replaced while it was read")))
            return nil
        }
        current = folder
        return folder
    }

    private func report(_ kind: WalkProblem.Kind, _ path: [UInt8], _ error: SystemError) {
        ready.append(.problem(WalkProblem(kind, path, cause: error.message)))
    }
}

extension WalkTally {
    mutating func add(_ other: WalkTally) {
        folders += other.folders
        notRaw += other.notRaw
        attached += other.attached
        hidden += other.hidden
        special += other.special
        links += other.links
    }
}
