internal import CFiles
internal import Glibc

/// What became of a file that was to get a name.
public enum Placement: Hashable, Sendable {
    /// The file has the name now; these are its facts as it got it.
    case placed(FileFacts)
    /// A file that is not ours has the name, and keeps it.
    case occupied
}

/// A name in a folder that people use too: they may put a file there, edit the file that is there, or remove it, at any
/// moment.
///
/// A file is replaced in one step, so that the name always has a file: the new one is put aside in the same folder, the
/// two swap their names, and what came out is looked at again. If it is not the file that was looked at before, or
/// a process is writing to it, the two swap back. Nothing is removed before it has been looked at under a name that no
/// other process uses. A process that dies in between leaves the aside name, and the next use of the name settles it.
private struct SharedName {
    private let location: EntryLocation
    private let aside: EntryLocation
    private let path: [UInt8]

    init(_ path: [UInt8], in folder: OpenFolder, _ action: String) throws(StorageError) {
        let name = try EntryLocation.name(path, action)
        location = EntryLocation(folder: folder, name: name)
        aside = EntryLocation(folder: folder, name: TemporaryName.aside(for: name))
        self.path = path
    }

    private func found(_ location: EntryLocation) throws(StorageError) -> FoundFile? {
        do throws(StorageError) { return try FoundFile(location, path) } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }

    // MARK: Placing and withdrawing

    func place(_ file: StagedFile, replacing isOurs: (FoundFile) throws -> Bool) throws -> Placement {
        try settleAside(isOurs)
        let written = try file.facts()
        for _ in 0..<8 {
            if try file.takeName(location) { return .placed(try Self.facts(of: file, asWritten: written)) }
            guard let found = try found(location) else { continue }
            guard found.facts.kind == .file, try isOurs(found) else { return .occupied }
            guard try replace(found, with: file) else { return .occupied }
            return .placed(try Self.facts(of: file, asWritten: written))
        }
        throw StorageError(errno: EBUSY, "place", path)
    }

    /// - Returns: nil, and nothing was changed, if there is anything to look at first.
    func placeIfFree(_ file: StagedFile) throws(StorageError) -> FileFacts? {
        guard try found(aside) == nil else { return nil }
        let written = try file.facts()
        return try file.takeName(location) ? try Self.facts(of: file, asWritten: written) : nil
    }

    /// The facts of a file that has just got its name; not of the name, which another file may have by now. If a program wrote
    /// to the file since, they are those of before, so that what is there now is not taken for what was put there.
    private static func facts(of file: StagedFile, asWritten written: FileFacts) throws(StorageError) -> FileFacts {
        let named = try file.facts()
        return named.isUnchanged(since: written) ? named : written
    }

    /// - Returns: false if a file that is not ours has the name.
    func withdraw(_ isOurs: (FoundFile) throws -> Bool) throws -> Bool {
        try settleAside(isOurs)
        guard let found = try found(location) else { return true }
        guard found.facts.kind == .file, try isOurs(found) else { return false }
        guard try move(location, to: aside) else { throw StorageError(errno: EBUSY, "remove", path) }
        let isSame = Result { () throws(StorageError) in try found.isStillThere(as: aside) }
        if case .success(true) = isSame {
            try removeAside()
            return true
        }
        try bringBack()
        return try isSame.get()
    }

    /// - Returns: false if the file is not the one that was expected, or changed since.
    private func replace(_ found: FoundFile, with file: StagedFile) throws(StorageError) -> Bool {
        let id = try file.facts().id
        guard try file.takeName(aside) else { throw StorageError(errno: EBUSY, "replace", path) }
        let folder = location.folder.number
        guard rawmill_exchange(folder, aside.name, location.name) == 0 else {
            let number = errno
            if number == ENOENT, try move(aside, to: location) { return true }
            file.loseName(aside)
            if number == ENOENT { return false }
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(number) else {
                throw StorageError(errno: number, "replace", path)
            }
            return try replaceInTwoSteps(found, with: file)
        }
        let isSame = Result { () throws(StorageError) in try found.isStillThere(as: aside) }
        if case .success(true) = isSame {
            try removeAside()
            return true
        }
        // A person's file came out. It gets its name back; our own comes out.
        let isBack = rawmill_exchange(folder, aside.name, location.name) == 0
        if isBack, try aside.facts("look at", path).id == id {
            try removeAside()
        } else {
            try bringBack()
        }
        return try isSame.get()
    }

    /// For file systems that cannot swap names (NFS): the name has no file for a moment.
    private func replaceInTwoSteps(_ found: FoundFile, with file: StagedFile) throws(StorageError) -> Bool {
        guard try move(location, to: aside) else { return false }
        let isSame = Result { () throws(StorageError) in try found.isStillThere(as: aside) }
        guard case .success(true) = isSame else {
            try bringBack()
            return try isSame.get()
        }
        let isPlaced = try file.takeName(location)
        try removeAside()
        return isPlaced
    }

    // MARK: The aside name

    /// Settles what a process that died left aside: our own file is removed, any other gets its name back.
    fileprivate func settleAside(_ isOurs: (FoundFile) throws -> Bool) throws {
        guard let found = try found(aside) else { return }
        if found.facts.kind == .file, try isOurs(found), try found.isStillThere(as: aside) {
            try removeAside()
        } else {
            try bringBack()
        }
    }

    private func removeAside() throws(StorageError) {
        guard unlinkat(aside.folder.number, aside.name, 0) == 0 || errno == ENOENT else {
            throw StorageError(errno: errno, "remove", path)
        }
    }

    /// Gives the file that is aside its name back, or a free one like it: `IMG_1.velvet (kept 2).jpg`.
    private func bringBack() throws(StorageError) {
        if try move(aside, to: location) { return }
        let name = location.name.dropLast().map(UInt8.init(bitPattern:))
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        for number in 1..<10_000 {
            let mark = Array((number == 1 ? " (kept)" : " (kept \(number))").utf8)
            let free = (Array(name[..<dot].prefix(200)) + mark + name[dot...]).cString
            if try move(aside, to: EntryLocation(folder: location.folder, name: free)) { return }
        }
        throw StorageError(.exists, "keep", path)
    }

    /// Renames without replacing.
    ///
    /// - Returns: false if the target's name is taken, or the file is gone.
    private func move(_ from: EntryLocation, to target: EntryLocation) throws(StorageError) -> Bool {
        if from.renameWithoutReplacing(to: target) == 0 { return true }
        if errno == EEXIST || errno == ENOENT { return false }
        throw StorageError(errno: errno, "move", path)
    }
}

/// Names that people use too.
extension Root {
    /// Gives a staged file a name, not durably: call the folder's `sync` afterwards. A file that has the name already is
    /// replaced only if it is ours and stays as it was while that happens.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains `path`.
    ///   - isOurs: whether a file may be replaced. Asked of the file that has the name, and of one that a process which
    ///     died had put aside.
    /// - Throws: `StorageError`; what `isOurs` throws.
    public func place(
        _ file: StagedFile, at path: [UInt8], in folder: OpenFolder, replacing isOurs: (FoundFile) throws -> Bool
    ) throws -> Placement {
        try SharedName(path, in: folder, "place").place(file, replacing: isOurs)
    }

    /// As `place(_:at:in:replacing:)`, if no file has the name, and none was put aside for it.
    ///
    /// - Returns: the file's facts as it got the name; nil, and nothing was changed, if the name has to be looked at first.
    public func placeIfFree(
        _ file: StagedFile, at path: [UInt8], in folder: OpenFolder
    ) throws(StorageError) -> FileFacts? {
        try SharedName(path, in: folder, "place").placeIfFree(file)
    }

    /// Removes a file from a name, not durably, if it is ours and stays as it was while that happens.
    ///
    /// - Parameters:
    ///   - folder: the folder that contains `path`.
    ///   - isOurs: whether the file may be removed.
    /// - Returns: false if the name has a file that is not ours.
    /// - Throws: `StorageError`; what `isOurs` throws.
    public func withdraw(
        _ path: [UInt8], in folder: OpenFolder, if isOurs: (FoundFile) throws -> Bool
    ) throws -> Bool {
        try SharedName(path, in: folder, "remove").withdraw(isOurs)
    }

    /// Settles what a process that died while it replaced or removed a file left beside the name: our own file is removed,
    /// any other gets its name back, or one like it.
    ///
    /// - Parameter isOurs: whether the file may be removed.
    /// - Throws: `StorageError`; what `isOurs` throws.
    public func settle(_ path: [UInt8], if isOurs: (FoundFile) throws -> Bool) throws {
        let parent = Self.folder(of: path)
        guard try factsIfPresent(of: parent)?.kind == .folder else { return }
        try SharedName(path, in: try existingFolder(parent, "settle"), "settle").settleAside(isOurs)
    }

    /// As `withdraw(_:in:if:)`, durably, in a folder that exists.
    ///
    /// - Throws: `StorageError`; what `isOurs` throws.
    public func withdraw(_ path: [UInt8], ifPresentAnd isOurs: (FoundFile) throws -> Bool) throws -> Bool {
        let folder = try existingFolder(Self.folder(of: path), "remove")
        guard try withdraw(path, in: folder, if: isOurs) else { return false }
        try folder.sync()
        return true
    }

    /// The file that has a name which people use too; nil if there is none.
    ///
    /// - Throws: `StorageError`.
    public func found(at path: [UInt8]) throws(StorageError) -> FoundFile? {
        do throws(StorageError) { return try FoundFile(location(of: path, "look at"), path) } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }
}
