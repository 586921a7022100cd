internal import Glibc
internal import Jobs
internal import Storage

/// Reads the entries of one family in their open folder: which files to submit, with which companions, and which
/// folders to visit.
struct FamilyReader {
    let frame: FolderFrame
    let folder: OpenFolder
    /// Path of the frame's root, which tells links inside it from links outside.
    let rootPath: [UInt8]
    private let filter: SourceFilter
    /// Path of the frame below the source.
    private let below: [UInt8]
    private(set) var items: [WalkItem] = []
    /// Names of subfolders, in byte order.
    private(set) var folders: [[UInt8]] = []
    private(set) var tally = WalkTally()

    init(
        frame: FolderFrame, folder: OpenFolder, rootPath: [UInt8], filter: SourceFilter = SourceFilter(),
        below: some Sequence<UInt8> = []
    ) {
        self.filter = filter
        self.below = Array(below)
        self.frame = frame
        self.folder = folder
        self.rootPath = rootPath
    }

    mutating func read(_ entries: [FolderEntry]) {
        var files: [[UInt8]] = []
        for entry in entries {
            if PassedOver.contains(file: entry.name) && !isSelected(entry.name) {
                tally.hidden += 1
                continue
            }
            switch kind(of: entry) {
            case .file: files.append(entry.name)
            case .folder:
                if PassedOver.contains(folder: entry.name) {
                    tally.hidden += 1
                } else if isExcluded(entry.name, isFolder: true) {
                    tally.excluded += 1
                } else {
                    folders.append(entry.name)
                }
            case .link: readLink(entry.name)
            case .other: tally.special += 1
            case .unknown: break
            }
        }
        if !files.isEmpty { submit(Family(names: files)) }
    }

    /// The kind of an entry; `unknown` if it cannot be read, which is reported unless it vanished.
    private mutating func kind(of entry: FolderEntry) -> FileFacts.Kind {
        entry.kind == .unknown ? facts(of: entry.name)?.kind ?? .unknown : entry.kind
    }

    private func isSelected(_ name: [UInt8]) -> Bool { frame.selection?.contains(name) ?? false }

    private func isExcluded(_ name: [UInt8], isFolder: Bool) -> Bool {
        !filter.excluded.isEmpty
            && filter.excludes(below.isEmpty ? name : below + [.slash] + name, isFolder: isFolder)
    }

    private mutating func submit(_ family: Family) {
        let submitted = family.members.indices.filter { index in
            frame.selection?.contains(family.members[index].name) ?? (family.members[index].kind == .raw)
        }
        let bases = family.photoBases(submitted: submitted)
        var attached: Set<Int> = []
        for (index, base) in zip(submitted, bases) {
            let name = family.members[index].name
            let sidecar = family.sidecar(of: name)
            let companion = family.companion(of: name)
            attached.formUnion([sidecar, companion].compactMap { $0 })
            guard isWanted(name, sidecar: sidecar.map { family.members[$0].name }),
                let raw = stamp(name, reporting: true)
            else { continue }
            let source = Source(
                raw: raw, sidecar: sidecar.flatMap { stamp(family.members[$0].name, reporting: false) },
                companion: companion.flatMap { stamp(family.members[$0].name, reporting: false) }, photoBase: base)
            items.append(.source(FoundSource(source: source, unreadable: readError(name))))
        }
        attached.subtract(submitted)
        tally.attached += attached.count
        guard frame.selection == nil else { return }
        let taken = attached.union(submitted)
        for index in family.members.indices where !taken.contains(index) { skip(.notRaw, family.members[index].name) }
    }

    private mutating func skip(_ reason: SkippedFile.Reason, _ name: [UInt8]) {
        switch reason {
        case .notRaw: tally.notRaw += 1
        case .link: tally.links += 1
        }
        items.append(.skipped(SkippedFile(reason, frame.path.child(name))))
    }

    private mutating func isWanted(_ name: [UInt8], sidecar: [UInt8]?) -> Bool {
        if isExcluded(name, isFolder: false) {
            tally.excluded += 1
            return false
        }
        guard let least = filter.minRating,
            RatingReader(folder: folder).rating(of: name, sidecar: sidecar) < least
        else { return true }
        tally.ratedLower += 1
        tally.leastRating = least
        return false
    }

    /// Why this process may not read a file; nil if it may.
    private func readError(_ name: [UInt8]) -> String? {
        do throws(StorageError) {
            try folder.checkReadable(name)
            return nil
        } catch {
            return error.systemMessage
        }
    }

    /// Size and time of a file; nil if it vanished or changed its kind since the folder was listed.
    private mutating func stamp(_ name: [UInt8], reporting: Bool) -> FileStamp? {
        guard let facts = facts(of: name, reporting: reporting), facts.kind == .file else { return nil }
        guard let file = frame.file(name) else {
            if reporting { items.append(.problem(WalkProblem(.pathTooLong, frame.path.child(name)))) }
            return nil
        }
        return FileStamp(file: file, sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
    }

    private mutating func facts(of name: [UInt8], reporting: Bool = true) -> FileFacts? {
        do throws(StorageError) {
            return try folder.facts(of: name)
        } catch {
            if reporting && error.number != ENOENT {
                let problem = WalkProblem(.unreadableFile, frame.path.child(name), cause: error.systemMessage)
                items.append(.problem(problem))
            }
            return nil
        }
    }

    /// Skips a link whose target is inside the root: the target is found under its own name, so that a photo has only
    /// one name. Reports a link to a folder or a RAW outside the root, and a broken link with a RAW's name.
    private mutating func readLink(_ name: [UInt8]) {
        let path = frame.path.child(name)
        let isRaw = NameKind(name: name) == .raw
        guard let facts = try? folder.facts(of: name, followingLinks: true), let target = RealPath.of(path) else {
            if isRaw { items.append(.problem(WalkProblem(.brokenLink, path))) } else { skip(.notRaw, name) }
            return
        }
        if facts.kind != .folder && !isRaw {
            skip(.notRaw, name)
        } else if target.below(rootPath) != nil {
            skip(.link, name)
        } else {
            let problem = WalkProblem(.linkOut, path, cause: String(decoding: target, as: UTF8.self))
            items.append(.problem(problem))
        }
    }
}
