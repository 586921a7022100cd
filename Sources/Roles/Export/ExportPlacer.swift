internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// Gives photos their names in the export's folder.
///
/// For each batch of manifests, (1) a transaction reserves a name for each photo; (2) each file is moved there from the
/// state folder, and replaces only files of the export unless the order allows more; (3) a transaction records the
/// placed photos and the offsets of the manifests. After a crash the batch is read again; a photo whose reserved name
/// has its own bytes is done.
struct ExportPlacer {
    let database: ExportDatabase
    /// The folder of the user's photos.
    let folder: Root
    /// Folder of the worker's renditions.
    let state: Root

    struct Task {
        let manifest: Manifest
        let rendition: Rendition
        let name: PhotoName
        let conflict: NameConflict

        var frame: ExportedFrame { ExportedFrame(job: manifest.job, frame: rendition.frame) }
        var source: FileReference { manifest.source.raw.file }
        var digest: SHA256Value { rendition.photo.digest }
    }

    enum Step {
        case done(PhotoPlacement)
        case move(to: [UInt8], existing: ExistingFile, attempt: Int)
        /// Replace an earlier state of the same photo, if that is unchanged.
        case succeed(at: [UInt8], earlier: SHA256Value, attempt: Int)
        /// A file with the same bytes already has the name.
        case adopt([UInt8])
        case skip([UInt8])
        case fail(String)
    }

    // MARK: Reserving

    /// Reserves a name, within a transaction.
    func reserve(_ task: Task) throws -> Step {
        if let known = try database.photo(task.frame), known.round >= task.manifest.round {
            switch known.state {
            case .placed: return .done(.placed(known.path))
            case .skipped: return .done(.skipped(known.path))
            case .claimed, .replacing, .missing:
                if try has(known.path, task.digest) { return try claim(task, .adopt(known.path)) }
            }
        }
        return try claim(task, try choose(task, from: 1))
    }

    private func claim(_ task: Task, _ step: Step) throws -> Step {
        let (path, state): ([UInt8], ExportedPhoto.State) =
            switch step {
            case .move(let path, let existing, _): (path, existing == .replace ? .replacing : .claimed)
            case .adopt(let path), .succeed(let path, _, _): (path, .replacing)
            case .skip(let path): (path, .skipped)
            case .done, .fail: (task.name.path(attempt: 1), .missing)
            }
        try database.set(
            ExportedPhoto(
                frame: task.frame, round: task.manifest.round, source: task.source, path: path, digest: task.digest,
                state: state))
        return step
    }

    /// The first name that is free or that the photo may take over.
    private func choose(_ task: Task, from first: Int) throws -> Step {
        if first == 1, task.conflict == .rename, let step = try succession(task) { return step }
        var attempt = first
        while true {
            let path = task.name.path(attempt: attempt)
            do {
                if let step = try step(for: task, at: path, attempt) { return step }
            } catch let error as StorageError {
                guard Self.concernsNameAlone(error) else { throw error }
                return .fail("\(String(decoding: path, as: UTF8.self)) cannot be written: \(error.cause)")
            }
            attempt += 1
        }
    }

    /// The photo takes over the name of its earlier state, including its number. Nil if there is no earlier state, or a
    /// user changed it.
    private func succession(_ task: Task) throws -> Step? {
        for earlier in try database.placed(task.source, frame: task.frame.frame) where earlier.frame != task.frame {
            guard let attempt = task.name.attempt(of: earlier.path), try has(earlier.path, earlier.digest) else {
                continue
            }
            return .succeed(at: earlier.path, earlier: earlier.digest, attempt: attempt)
        }
        return nil
    }

    /// Nil if the photo must not have the name.
    private func step(for task: Task, at path: [UInt8], _ attempt: Int) throws -> Step? {
        let holder = try database.photo(at: path)
        let isOthers = holder.map { $0.frame != task.frame } ?? false
        // Checks the entry itself: a link may lead anywhere.
        guard let found = try folder.found(at: path) else {
            guard let holder, isOthers else { return .move(to: path, existing: .keep, attempt: attempt) }
            // A user removed the file of an earlier state of the same RAW; its name is free.
            guard isEarlierState(holder, of: task) else { return nil }
            try database.set(.missing, of: holder.frame)
            return .move(to: path, existing: .keep, attempt: attempt)
        }
        guard found.facts.kind == .file else { return nil }
        if let holder, isOthers {
            // A file that a user has changed is theirs.
            guard isEarlierState(holder, of: task), try found.digestIfReadable() == holder.digest else { return nil }
            return .succeed(at: path, earlier: holder.digest, attempt: attempt)
        }
        if found.facts.sizeBytes == task.rendition.photo.sizeBytes, try found.digestIfReadable() == task.digest {
            return .adopt(path)
        }
        switch task.conflict {
        case .replace: return .move(to: path, existing: .replace, attempt: attempt)
        case .skip: return .skip(path)
        case .rename: return nil
        }
    }

    /// Whether the holder is a placed photo of the same frame of the same file, made with other settings or before the
    /// RAW changed.
    private func isEarlierState(_ holder: ExportedPhoto, of task: Task) -> Bool {
        holder.state == .placed && holder.source == task.source && holder.frame.frame == task.frame.frame
    }

    private func has(_ path: [UInt8], _ digest: SHA256Value) throws(StorageError) -> Bool {
        do throws(StorageError) { return try folder.found(at: path)?.digestIfReadable() == digest } catch {
            if error.isStorageGone { throw error }
            return false
        }
    }

    // MARK: Moving

    /// Performs a step. `copies` holds the paths of files placed since the last transaction, by hash. Throws errors
    /// that stop the whole export, such as a full disk.
    func perform(_ step: Step, _ task: Task, copies: [SHA256Value: [UInt8]]) throws -> PhotoPlacement {
        switch step {
        case .done(let placement): return placement
        case .skip(let path): return .skipped(path)
        case .fail(let problem): return .failed(problem)
        case .adopt(let path):
            try settle(task, path)
            return .placed(path)
        case .move(let path, let existing, let attempt):
            return try place(task, path, attempt, copies) { try move(task, to: path, existing, copies) }
        case .succeed(let path, let earlier, let attempt):
            return try place(task, path, attempt, copies) { try replace(earlier, by: task, at: path, copies) }
        }
    }

    /// Performs the action that names the photo. If it returns false, the next name is tried.
    private func place(
        _ task: Task, _ path: [UInt8], _ attempt: Int, _ copies: [SHA256Value: [UInt8]], _ action: () throws -> Bool
    ) throws -> PhotoPlacement {
        do {
            try settle(task, path)
            if try action() { return .placed(path) }
        } catch let error as StorageError {
            guard Self.concernsNameAlone(error) else { throw error }
            return .failed("\(String(decoding: path, as: UTF8.self)) cannot be written: \(error.cause)")
        } catch is LostPhoto {
            return .lost
        }
        // Another process took the name meanwhile, or a user changed the file.
        let next = try database.transaction { try claim(task, try choose(task, from: attempt + 1)) }
        return try perform(next, task, copies: copies)
    }

    /// Cleans up after a process that died while it replaced a file of this name.
    private func settle(_ task: Task, _ path: [UInt8]) throws {
        try folder.settle(path) { found in
            try found.digestIfReadable().map { try database.knows($0, of: task.source) } ?? false
        }
    }

    /// Replaces an earlier state by a copy atomically, and checks what it replaced. False if a user changed the file
    /// meanwhile; it is kept.
    private func replace(
        _ earlier: SHA256Value, by task: Task, at path: [UInt8], _ copies: [SHA256Value: [UInt8]]
    ) throws -> Bool {
        let target = try folder.openFolder(Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]))
        let (original, root) = try original(task, copies)
        let file = try StagedFile(copyOf: original, in: root, for: target, at: path)
        try StagedFile.sync([file])
        let placement = try folder.place(file, at: path, in: target) { try $0.digestIfReadable() == earlier }
        try target.sync()
        return placement != .occupied
    }

    /// Location of the photo's bytes: the worker's file, or another RAW's photo with the same bytes, which was moved
    /// from there.
    private func original(_ task: Task, _ copies: [SHA256Value: [UInt8]]) throws -> (path: [UInt8], root: Root) {
        let object = task.rendition.photo.path.bytes
        if try state.factsIfPresent(of: object) != nil { return (object, state) }
        let known = try database.placed(task.digest).map(\.path) + [copies[task.digest]].compactMap { $0 }
        guard let other = try known.first(where: { try has($0, task.digest) }) else { throw LostPhoto() }
        return (other, folder)
    }

    /// Returns false if the name was taken meanwhile.
    private func move(
        _ task: Task, to path: [UInt8], _ existing: ExistingFile, _ copies: [SHA256Value: [UInt8]]
    ) throws -> Bool {
        let (original, root) = try original(task, copies)
        if root === state { return try folder.adopt(original, of: state, at: path, existing: existing) == .moved }
        return try folder.publishCopy(of: original, in: folder, digest: task.digest, at: path, existing: existing)
            .outcome != .kept
    }

    /// Records a photo's placement, within a transaction.
    func note(_ placement: PhotoPlacement, _ task: Task) throws {
        let (path, state): ([UInt8], ExportedPhoto.State) =
            switch placement {
            case .placed(let path): (path, .placed)
            case .skipped(let path): (path, .skipped)
            case .failed, .lost: (task.name.path(attempt: 1), .missing)
            }
        if state == .placed, let holder = try database.photo(at: path), holder.frame != task.frame {
            try database.set(.missing, of: holder.frame)
        }
        try database.set(
            ExportedPhoto(
                frame: task.frame, round: task.manifest.round, source: task.source, path: path, digest: task.digest,
                state: state))
    }

    func removeLeftovers(_ task: Task, _ placement: PhotoPlacement) {
        // Files that cannot be removed here are removed at the end of the run.
        _ = try? state.remove(task.rendition.preview.path.bytes)
        switch placement {
        case .failed, .lost: return
        case .placed, .skipped: break
        }
        _ = try? state.remove(task.rendition.photo.path.bytes)
    }

    /// False for an error of the whole storage, which would affect other photos too.
    private static func concernsNameAlone(_ error: StorageError) -> Bool {
        switch error.kind {
        case .badPath, .exists, .wrongKind, .pathEscapesRoot, .notFound: true
        default: false
        }
    }
}

/// Result for one photo. Paths are below the export's folder.
public enum PhotoPlacement: Hashable, Sendable {
    case placed([UInt8])
    /// A file of that name exists and was kept.
    case skipped([UInt8])
    /// Reason, as a sentence.
    case failed(String)
    /// The rendition is gone: a RAW with the same bytes shared the file, and it was moved. It must be rendered again.
    case lost
}

/// The rendition is gone: another photo took it, and has since changed.
private struct LostPhoto: Error {}
