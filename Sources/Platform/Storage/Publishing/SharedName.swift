internal import CFiles
internal import Glibc

/// Result of placing a file.
public enum Placement: Hashable, Sendable {
    /// The file has the name. Its facts are those at that moment.
    case placed(FileFacts)
    /// The name belongs to a file that is not ours, which was kept.
    case occupied
}

/// A name in a folder shared with users, who may create, edit or remove the file at any moment.
///
/// Replacement is atomic: the new file is put aside in the same folder, the two exchange names, and the old file is
/// verified again. If it is not the file that was inspected before, or a process is writing to it, the two exchange
/// names again. Nothing is removed before it was verified under a name that no other process uses. A process that dies
/// in between leaves the aside name, which the next use of the name settles.
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

    /// - Returns: nil, without changes, if an existing file has to be inspected first.
    func placeIfFree(_ file: StagedFile) throws(StorageError) -> FileFacts? {
        guard try found(aside) == nil else { return nil }
        let written = try file.facts()
        return try file.takeName(location) ? try Self.facts(of: file, asWritten: written) : nil
    }

    /// Facts of the file that just got the name, not of the name, which may already belong to another file. If a
    /// program has written to the file since, returns its facts from before, so that the modified file is not taken for
    /// ours.
    private static func facts(of file: StagedFile, asWritten written: FileFacts) throws(StorageError) -> FileFacts {
        let named = try file.facts()
        return named.isUnchanged(since: written) ? named : written
    }

    /// - Returns: false if the name belongs to a file that is not ours.
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

    /// - Returns: false if the file is not the expected one, or has changed.
    private func replace(_ found: FoundFile, with file: StagedFile) throws(StorageError) -> Bool {
        let id = try file.facts().id
        guard try file.takeName(aside) else { throw StorageError(errno: EBUSY, "replace", path) }
        let folder = location.folder.number
        guard unsafe rawmill_exchange(folder, aside.name, location.name) == 0 else {
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
        // A user's file came out. Exchanges it back, which brings out ours.
        let isBack = unsafe rawmill_exchange(folder, aside.name, location.name) == 0
        if isBack, try aside.facts("look at", path).id == id {
            try removeAside()
        } else {
            try bringBack()
        }
        return try isSame.get()
    }

    /// For file systems that cannot exchange names (NFS): the name is briefly missing.
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

    /// Settles what a dead process left aside: our own file is removed, any other gets its name back.
    fileprivate func settleAside(_ isOurs: (FoundFile) throws -> Bool) throws {
        guard let found = try found(aside) else { return }
        if found.facts.kind == .file, try isOurs(found), try found.isStillThere(as: aside) {
            try removeAside()
        } else {
            try bringBack()
        }
    }

    private func removeAside() throws(StorageError) {
        guard unsafe unlinkat(aside.folder.number, aside.name, 0) == 0 || errno == ENOENT else {
            throw StorageError(errno: errno, "remove", path)
        }
    }

    /// Restores the name of the file that is aside, or a free one like it: `IMG_1.velvet (kept 2).jpg`.
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

    /// Renames without replacing. Returns false if the target's name is taken, or the file is gone.
    private func move(_ from: EntryLocation, to target: EntryLocation) throws(StorageError) -> Bool {
        if from.renameWithoutReplacing(to: target) == 0 { return true }
        if errno == EEXIST || errno == ENOENT { return false }
        throw StorageError(errno: errno, "move", path)
    }
}

extension Root {
    /// Gives a staged file a name, not durably: call the folder's `sync` afterwards. Replaces an existing file only if
    /// it is ours and does not change meanwhile.
    ///
    /// - Parameters:
    ///   - folder: contains `path`.
    ///   - isOurs: whether a file may be replaced. Called for the existing file, and for one that a dead process left
    ///     aside.
    /// - Throws: `StorageError`, and the errors of `isOurs`.
    public func place(
        _ file: StagedFile, at path: [UInt8], in folder: OpenFolder, replacing isOurs: (FoundFile) throws -> Bool
    ) throws -> Placement {
        try SharedName(path, in: folder, "place").place(file, replacing: isOurs)
    }

    /// Like `place(_:at:in:replacing:)`, if the name is free and no file was left aside for it. Returns the file's
    /// facts when it got the name; nil, without changes, if an existing file has to be inspected first.
    public func placeIfFree(
        _ file: StagedFile, at path: [UInt8], in folder: OpenFolder
    ) throws(StorageError) -> FileFacts? {
        try SharedName(path, in: folder, "place").placeIfFree(file)
    }

    /// Removes a file from the folder that contains `path`, not durably, if it is ours and does not change meanwhile.
    /// Returns false if the name belongs to a file that is not ours. Throws `StorageError`, and the errors of `isOurs`.
    public func withdraw(
        _ path: [UInt8], in folder: OpenFolder, if isOurs: (FoundFile) throws -> Bool
    ) throws -> Bool {
        try SharedName(path, in: folder, "remove").withdraw(isOurs)
    }

    /// Settles what a process that died during a replacement or removal left beside the name: our own file is removed,
    /// any other gets its name back, or one like it. Throws `StorageError`, and the errors of `isOurs`.
    public func settle(_ path: [UInt8], if isOurs: (FoundFile) throws -> Bool) throws {
        let parent = Self.folder(of: path)
        guard try factsIfPresent(of: parent)?.kind == .folder else { return }
        try SharedName(path, in: try existingFolder(parent, "settle"), "settle").settleAside(isOurs)
    }

    /// Like `withdraw(_:in:if:)`, durably, in an existing folder. Throws `StorageError`, and the errors of `isOurs`.
    public func withdraw(_ path: [UInt8], ifPresentAnd isOurs: (FoundFile) throws -> Bool) throws -> Bool {
        let folder = try existingFolder(Self.folder(of: path), "remove")
        guard try withdraw(path, in: folder, if: isOurs) else { return false }
        try folder.sync()
        return true
    }

    /// The file with a name shared with users; nil if there is none.
    public func found(at path: [UInt8]) throws(StorageError) -> FoundFile? {
        do throws(StorageError) { return try FoundFile(location(of: path, "look at"), path) } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }
}
