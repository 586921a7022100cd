internal import Digest
public import Jobs
internal import LibraryTables
internal import Manifests
public import MetadataHost
internal import PhotoTree
internal import PictureFormat
internal import Selection
public import Storage

/// Frees space in a library: unrecorded files of processes that died, paths that RAWs have left, and optionally
/// superseded edits. Never frees a RAW or a foreign file.
public struct LibraryPruner {
    /// The options of a pruning.
    public struct Options: Hashable, Sendable {
        /// Frees photos hidden by a newer order of their look. Revisions of a photo that a user edited stay as its
        /// history.
        public var superseded = false
        /// Frees photos and previews without a row. False while jobs are open, whose manifests may arrive later.
        public var unknown = true
        /// Only reports.
        public var isDryRun = true

        /// A dry run for leftovers only.
        public init() {}
    }

    /// The counts of what was found, and freed unless it was a dry run.
    public struct Report: Hashable, Sendable {
        /// Temporary files.
        public internal(set) var temporaries = 0
        /// Photos and previews without a row.
        public internal(set) var unknown = 0
        /// Files of an unfinished removal.
        public internal(set) var unfinished = 0
        /// Superseded edits.
        public internal(set) var superseded = 0
        /// Paths that a RAW has left while it exists at another.
        public internal(set) var sightings = 0
        /// Roots whose folders exist without any of the RAWs searched for: they may be other folders, so their paths
        /// stay.
        public internal(set) var unseenRoots: [RootName] = []
        /// Bytes of all these files.
        public internal(set) var bytes: UInt64 = 0
        /// Files that stay because their bytes changed.
        public internal(set) var changed: [RelativePath] = []

        /// True if there is nothing to free.
        public var isEmpty: Bool { temporaries + unknown + unfinished + superseded + sightings == 0 }
    }

    private let store: LibraryStore
    private let roots: Roots
    private let options: Options
    private let remover: PhotoRemover

    /// Opens the library, for writing unless it is a dry run.
    ///
    /// - Parameters:
    ///   - roots: the roots of the RAWs.
    ///   - metadataProgram: reads the metadata of unknown photos, see `MetadataProcess`.
    /// - Throws: `LibraryError`.
    public init(
        library folder: String, roots: Roots, options: Options,
        metadataProgram: String = MetadataProcess.program
    ) throws {
        store = try LibraryStore(
            folder: folder, mode: options.isDryRun ? .read : .change, metadataProgram: metadataProgram)
        self.roots = roots
        self.options = options
        remover = PhotoRemover(store: store, roots: roots)
    }

    /// Prunes.
    ///
    /// - Throws: `LibraryError`.
    public func run() throws -> Report {
        try LibraryError.wrapping(store.folder) {
            var report = Report()
            for file in try store.tables.removed.doomed() {
                report.unfinished += 1
                report.bytes += try size(file.path)
            }
            if !options.isDryRun { report.changed += try remover.finish() }
            try pruneSightings(&report)
            if options.superseded { try pruneSuperseded(&report) }
            try pruneFiles(&report)
            if !options.isDryRun { report.changed += try remover.finish() }
            return report
        }
    }

    private func size(_ path: RelativePath) throws -> UInt64 {
        try store.root.factsIfPresent(of: path.bytes)?.sizeBytes ?? 0
    }

    // MARK: Rows

    private func pruneSuperseded(_ report: inout Report) throws {
        var last: RenditionID?
        while true {
            let page = try store.tables.files.renditionFiles(after: last, limit: 500)
            guard let end = page.last else { return }
            last = end.id
            var keys: [SHA256Value: Set<RenditionKey>] = [:]
            for files in page where files.shownAt == nil {
                guard let record = try store.tables.renditions.record(files.id),
                    let shown = try store.tree.current(TreeNaming.photo(record).id), shown.key != files.key,
                    try !store.tables.renditions.isHeld(files.id),
                    try store.tables.revisions.files(of: record.asset, with: files.key).isEmpty
                else { continue }
                keys[record.asset, default: []].insert(record.key)
                report.superseded += 1
                report.bytes += record.photo.sizeBytes + (record.preview?.sizeBytes ?? 0)
            }
            if options.isDryRun || keys.isEmpty { continue }
            report.changed += try remover.remove(try remover.plan(keys, withOriginals: false))
        }
    }

    /// Removes a path that a RAW has left while it exists at another. If the photo names it, the library locates the
    /// RAW at the other path from now on.
    private func pruneSightings(_ report: inout Report) throws {
        let recognition = RootRecognition(store: store, roots: roots)
        let seen = Set(try roots.names.compactMap(RootName.init).filter(recognition.isSeen) + [.library])
        report.unseenRoots = recognition.unseen.sorted()
        var missing: [(asset: SHA256Value, raw: FileStamp)] = []
        try store.tables.sightings.each { asset, sighting in
            let raw = sighting.raw
            if seen.contains(raw.file.root), recognition.isMissing(raw) { missing.append((asset, raw)) }
        }
        for (asset, raws) in Dictionary(grouping: missing, by: \.asset) {
            let lost = Set(try raws.map(\.raw).filter { try recognition.isGone($0) }.map(\.file))
            if lost.isEmpty { continue }
            guard try store.tables.copies.copy(of: asset) == nil,
                try store.tables.sightings.all(of: asset).contains(where: { !lost.contains($0.raw.file) })
            else { continue }
            report.sightings += lost.count
            if !options.isDryRun { try store.transaction { try forget(lost, of: asset) } }
        }
    }

    private func forget(_ lost: Set<FileReference>, of asset: SHA256Value) throws {
        try store.forget(lost.sorted { ($0.root, $0.path) < ($1.root, $1.path) }, of: asset)
        guard let left = try store.tables.sightings.all(of: asset).first else { return }
        for record in try store.tables.renditions.records(of: asset) where lost.contains(record.original.file) {
            try store.tables.renditions.setOriginal(left, of: record.id)
        }
        try store.tree.follow(asset)
    }

    // MARK: Files

    private func pruneFiles(_ report: inout Report) throws {
        try scan(LibraryLayout.objects, &report) { path, rows in
            guard let file = ObjectFile(path), let key = file.rendition, !rows.contains(key),
                case .rendition(let found) = try ObjectContentReader.read(file, in: store.root, store.metadata)
            else { return nil }
            return found.record.photo.digest
        }
        try scan("\(LibraryLayout.hidden)/previews", &report) { path, rows in
            guard let digest = SHA256Value(stemOf: path), path == LibraryLayout.preview(digest),
                !PhotoFormat.allCases.contains(where: { rows.contains(RenditionKey(digest: digest, format: $0)) })
            else { return nil }
            return try store.root.digest(of: path.bytes).digest
        }
        for folder in [LibraryLayout.photos, LibraryLayout.hidden] { try scan(folder, &report) { _, _ in nil } }
    }

    /// - Parameter digest: receives a path and the stored renditions that the names of its page stand for; returns the
    ///   digest of a file to free, nil for others.
    private func scan(
        _ folder: String, _ report: inout Report, _ digest: (RelativePath, Set<RenditionKey>) throws -> SHA256Value?
    ) throws {
        guard let top = RelativePath(folder) else { return }
        var walk = FileWalk(root: store.root, below: top)
        var temporaries = 0
        while case let page = try walk.next(500), !page.isEmpty {
            let rows = Set(
                try store.tables.files.renditions(named: Set(page.compactMap(SHA256Value.init(stemOf:)))).map(\.key))
            var doomed: [RemovedTable.DoomedFile] = []
            for path in page {
                if Root.isTemporary(path.name) {
                    temporaries += 1
                    report.bytes += try size(path)
                } else if options.unknown, try !store.tables.removed.isDoomed(path), let digest = try digest(path, rows)
                {
                    doomed.append(.init(path: path, digest: digest))
                    report.bytes += try size(path)
                }
            }
            report.unknown += doomed.count
            if options.isDryRun || doomed.isEmpty { continue }
            try store.transaction { for file in doomed { try store.tables.removed.doom(file) } }
        }
        // Files of an active writer stay.
        if temporaries > 0, !options.isDryRun { temporaries = try store.root.sweepTemporaries(below: top.bytes) }
        report.temporaries += temporaries
    }
}
