internal import Digest
public import Jobs
internal import Manifests
public import MetadataHost
internal import PictureFormat
public import Storage

/// Frees what nothing in a library needs: files without a row that a process which died left, paths that RAWs have left,
/// and, where it is wanted, edits that newer ones hide. Never a RAW, nor a file that Rawmill did not write.
public struct LibraryPruner {
    /// What is to be freed besides leftovers.
    public struct Options: Hashable, Sendable {
        /// Photos that `photos/` does not show because a newer order of their look is shown. Revisions of a photo that a
        /// person edited stay: they are its history.
        public var superseded = false
        /// Photos and previews without a row. False while jobs are open: their manifests may be on the way.
        public var unknown = true
        /// Only looks.
        public var isDryRun = true

        /// Leftovers only, and only to look.
        public init() {}
    }

    /// What was found, and freed unless the options said to look only.
    public struct Report: Hashable, Sendable {
        /// Temporary files.
        public internal(set) var temporaries = 0
        /// Photos and previews without a row.
        public internal(set) var unknown = 0
        /// Files that an unfinished removal left.
        public internal(set) var unfinished = 0
        /// Edits that newer ones hide.
        public internal(set) var superseded = 0
        /// Paths at which a RAW was seen and is no longer, while it still is at another.
        public internal(set) var sightings = 0
        /// Roots of which it is not known whether RAWs have left them: their folders are there, but none of the RAWs that were
        /// looked for. Their paths stay.
        public internal(set) var unseenRoots: [RootName] = []
        /// Bytes of all these files.
        public internal(set) var bytes: UInt64 = 0
        /// Files that stay because they do not have the bytes that the library knew.
        public internal(set) var changed: [RelativePath] = []

        /// True if there is nothing to free.
        public var isEmpty: Bool { temporaries + unknown + unfinished + superseded + sightings == 0 }
    }

    private let store: LibraryStore
    private let roots: Roots
    private let options: Options
    private let remover: PhotoRemover

    /// Opens the library: for writing, unless the options say to look only.
    ///
    /// - Parameters:
    ///   - roots: of the RAWs.
    ///   - metadataProgram: path of the program that reads the metadata of unknown photos, see `MetadataProcess`.
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
            for file in try store.removed.doomed() {
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
            let page = try store.files.renditionFiles(after: last, limit: 500)
            guard let end = page.last else { return }
            last = end.id
            var keys: [SHA256Value: Set<RenditionKey>] = [:]
            for files in page where files.shownAt == nil {
                guard let record = try store.renditions.record(files.id),
                    let shown = try store.tree.current(TreeNaming.photo(record).id), shown.key != files.key,
                    try !store.renditions.isHeld(files.id),
                    try store.revisions.files(of: record.asset, with: files.key).isEmpty
                else { continue }
                keys[record.asset, default: []].insert(record.key)
                report.superseded += 1
                report.bytes += record.photo.sizeBytes + (record.preview?.sizeBytes ?? 0)
            }
            if options.isDryRun || keys.isEmpty { continue }
            report.changed += try remover.remove(try remover.plan(keys, withOriginals: false))
        }
    }

    /// A path that a RAW has left is forgotten while it still is at another. If the photo names it, the library locates the RAW
    /// at one of the others from now on.
    private func pruneSightings(_ report: inout Report) throws {
        let recognition = RootRecognition(store: store, roots: roots)
        let seen = Set(try roots.names.compactMap(RootName.init).filter(recognition.isSeen) + [.library])
        report.unseenRoots = recognition.unseen.sorted()
        var missing: [(asset: SHA256Value, raw: FileStamp)] = []
        try store.sightings.each { asset, sighting in
            let raw = sighting.raw
            if seen.contains(raw.file.root), recognition.isMissing(raw) { missing.append((asset, raw)) }
        }
        for (asset, raws) in Dictionary(grouping: missing, by: \.asset) {
            let lost = Set(try raws.map(\.raw).filter { try recognition.isGone($0) }.map(\.file))
            if lost.isEmpty { continue }
            guard try store.copies.copy(of: asset) == nil,
                try store.sightings.all(of: asset).contains(where: { !lost.contains($0.raw.file) })
            else { continue }
            report.sightings += lost.count
            if !options.isDryRun { try store.transaction { try forget(lost, of: asset) } }
        }
    }

    private func forget(_ lost: Set<FileReference>, of asset: SHA256Value) throws {
        try store.forget(lost.sorted { ($0.root, $0.path) < ($1.root, $1.path) }, of: asset)
        guard let left = try store.sightings.all(of: asset).first else { return }
        for record in try store.renditions.records(of: asset) where lost.contains(record.original.file) {
            try store.renditions.setOriginal(left, of: record.id)
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

    /// - Parameter digest: of a file that nothing needs; nil for any other. It is given the renditions that the names of files tell.
    private func scan(
        _ folder: String, _ report: inout Report, _ digest: (RelativePath, Set<RenditionKey>) throws -> SHA256Value?
    ) throws {
        guard let top = RelativePath(folder) else { return }
        var walk = FileWalk(root: store.root, below: top)
        var temporaries = 0
        while case let page = try walk.next(500), !page.isEmpty {
            let rows = Set(
                try store.files.renditions(named: Set(page.compactMap(SHA256Value.init(stemOf:)))).map(\.key))
            var doomed: [RemovedTable.DoomedFile] = []
            for path in page {
                if Root.isTemporary(path.name) {
                    temporaries += 1
                    report.bytes += try size(path)
                } else if options.unknown, try !store.removed.isDoomed(path), let digest = try digest(path, rows) {
                    doomed.append(.init(path: path, digest: digest))
                    report.bytes += try size(path)
                }
            }
            report.unknown += doomed.count
            if options.isDryRun || doomed.isEmpty { continue }
            try store.transaction { for file in doomed { try store.removed.doom(file) } }
        }
        // Those of a writer that is at work stay.
        if temporaries > 0, !options.isDryRun { temporaries = try store.root.sweepTemporaries(below: top.bytes) }
        report.temporaries += temporaries
    }
}
