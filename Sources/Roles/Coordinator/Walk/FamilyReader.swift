internal import Glibc
internal import Jobs

/// Looks at the entries of one family in its open folder: which are files to submit, what goes with them, which are
/// folders to go into.
struct FamilyReader {
    let frame: FolderFrame
    let folder: OpenFolder
    /// The path of the frame's root, to tell links that stay in it.
    let rootPath: [UInt8]
    private(set) var items: [WalkItem] = []
    private(set) var folders: [[UInt8]] = []
    private(set) var tally = WalkTally()

    init(frame: FolderFrame, folder: OpenFolder, rootPath: [UInt8]) {
        self.frame = frame
        self.folder = folder
        self.rootPath = rootPath
    }

    mutating func read(_ entries: [FolderEntry]) {
        var files: [[UInt8]] = []
        for entry in entries {
            if entry.name.first == .dot && !isSelected(entry.name) {
                tally.hidden += 1
                continue
            }
            switch kind(of: entry) {
            case S_IFREG: files.append(entry.name)
            case S_IFDIR: folders.append(entry.name)
            case S_IFLNK: readLink(entry.name)
            case 0: break
            default: tally.special += 1
            }
        }
        if !files.isEmpty { submit(Family(names: files)) }
    }

    /// The file type bits; 0 for what vanished or could not be looked at, after reporting the latter.
    private mutating func kind(of entry: FolderEntry) -> mode_t {
        switch Int(entry.type) {
        case Int(DT_REG): return S_IFREG
        case Int(DT_DIR): return S_IFDIR
        case Int(DT_LNK): return S_IFLNK
        case Int(DT_UNKNOWN): return facts(of: entry.name).map { $0.st_mode & S_IFMT } ?? 0
        default: return S_IFSOCK
        }
    }

    private func isSelected(_ name: [UInt8]) -> Bool { frame.selection?.contains(name) ?? false }

    private mutating func submit(_ family: Family) {
        let submitted = family.members.indices.filter { index in
            frame.selection?.contains(family.members[index].name) ?? (family.members[index].kind == .raw)
        }
        let bases = family.photoBases(submitted: submitted)
        var attached: Set<Int> = []
        for (index, base) in zip(submitted, bases) {
            let name = family.members[index].name
            guard let raw = stamp(name, reporting: true) else { continue }
            let sidecar = family.sidecar(of: name)
            let companion = family.companion(of: name)
            attached.formUnion([sidecar, companion].compactMap { $0 })
            let source = Source(
                raw: raw, sidecar: sidecar.flatMap { stamp(family.members[$0].name, reporting: false) },
                companion: companion.flatMap { stamp(family.members[$0].name, reporting: false) }, photoBase: base)
            items.append(.source(FoundSource(source: source, unreadable: folder.refusal(of: name)?.message)))
        }
        attached.subtract(submitted)
        tally.attached += attached.count
        if frame.selection == nil { tally.notRaw += family.members.count - submitted.count - attached.count }
    }

    /// Nil for a file that vanished or became something else since the folder was listed.
    private mutating func stamp(_ name: [UInt8], reporting: Bool) -> FileStamp? {
        guard let facts = facts(of: name, reporting: reporting), facts.st_mode & S_IFMT == S_IFREG else { return nil }
        guard let file = frame.file(name) else {
            if reporting { items.append(.problem(WalkProblem(.pathTooLong, frame.path.child(name)))) }
            return nil
        }
        let modified = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
        return FileStamp(file: file, sizeBytes: UInt64(max(0, facts.st_size)), modifiedNanoseconds: modified)
    }

    private mutating func facts(of name: [UInt8], reporting: Bool = true) -> stat? {
        do throws(SystemError) {
            return try folder.facts(of: name)
        } catch {
            if reporting && error.number != ENOENT {
                items.append(.problem(WalkProblem(.unreadableFile, frame.path.child(name), cause: error.message)))
            }
            return nil
        }
    }

    /// No link is followed: what it leads to inside the root is found where it stands, so that a photograph has one
    /// name. One that would lead out to a folder or a RAW is reported.
    private mutating func readLink(_ name: [UInt8]) {
        let path = frame.path.child(name)
        let isRaw = NameKind(name: name) == .raw
        guard let facts = try? folder.facts(of: name, following: true), let target = path.realPath else {
            if isRaw { items.append(.problem(WalkProblem(.brokenLink, path))) } else { tally.notRaw += 1 }
            return
        }
        let isFolder = facts.st_mode & S_IFMT == S_IFDIR
        if !isFolder && !isRaw {
            tally.notRaw += 1
        } else if target.below(rootPath) != nil {
            tally.links += 1
        } else {
            let shown = String(decoding: target, as: UTF8.self)
            items.append(.problem(WalkProblem(.linkOut, path, cause: shown)))
        }
    }
}
