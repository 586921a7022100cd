internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// Gives photos their names in the export's folder.
///
/// The steps for a batch of manifests: (1) one transaction reserves a name for each photo; (2) each file is moved there
/// from the state folder, and replaces nothing that the export did not write, unless the order says so; (3) one
/// transaction notes that they are placed, and how far the manifests were read. After a crash the batch is read again,
/// and a photo that has its reserved name with its own bytes is done.
struct PhotoPlacer {
    let database: ExportDatabase
    /// The folder of people's photos.
    let folder: Root
    /// Where the worker puts its renditions.
    let state: Root

    /// A photo on its way.
    struct Task {
        let manifest: Manifest
        let rendition: Rendition
        let name: PhotoName
        let conflict: NameConflict

        var frame: ExportedFrame { ExportedFrame(job: manifest.job, frame: rendition.frame) }
        var source: FileReference { manifest.source.raw.file }
        var digest: SHA256Value { rendition.photo.digest }
    }

    /// What is to be done with a photo.
    enum Step {
        /// Nothing: an earlier run did it.
        case done(PhotoPlacement)
        /// The file gets a name.
        case move(to: [UInt8], existing: ExistingFile, attempt: Int)
        /// A file with the same bytes has the name already.
        case adopt([UInt8])
        case skip([UInt8])
        case fail(String)
    }

    // MARK: Reserving

    /// Part of a transaction.
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
            case .adopt(let path): (path, .replacing)
            case .skip(let path): (path, .skipped)
            case .done, .fail: (task.name.path(attempt: 1), .missing)
            }
        try database.set(
            ExportedPhoto(
                frame: task.frame, round: task.manifest.round, source: task.source, path: path, digest: task.digest,
                state: state))
        return step
    }

    /// The first name that is free, or that the photo may have although it is not.
    private func choose(_ task: Task, from first: Int) throws -> Step {
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

    /// Nil for a name that the photo must not have.
    private func step(for task: Task, at path: [UInt8], _ attempt: Int) throws -> Step? {
        let holder = try database.photo(at: path)
        let isOthers = holder.map { $0.frame != task.frame } ?? false
        guard let facts = try folder.factsIfPresent(of: path) else {
            guard let holder, isOthers else { return .move(to: path, existing: .keep, attempt: attempt) }
            // The file of an earlier state of the same RAW that a person removed leaves its name to this one.
            guard isEarlierState(holder, of: task) else { return nil }
            try database.set(.missing, of: holder.frame)
            return .move(to: path, existing: .keep, attempt: attempt)
        }
        guard facts.kind == .file else { return nil }
        if let holder, isOthers {
            // What a person changed since is theirs.
            guard isEarlierState(holder, of: task), try has(path, holder.digest) else { return nil }
            return .move(to: path, existing: .replace, attempt: attempt)
        }
        if facts.sizeBytes == task.rendition.photo.sizeBytes, try has(path, task.digest) { return .adopt(path) }
        switch task.conflict {
        case .replace: return .move(to: path, existing: .replace, attempt: attempt)
        case .skip: return .skip(path)
        case .rename: return nil
        }
    }

    /// True for a placed photo of the same frame of the same file, made with other settings or before the RAW changed.
    private func isEarlierState(_ holder: ExportedPhoto, of task: Task) -> Bool {
        holder.state == .placed && holder.source == task.source && holder.frame.frame == task.frame.frame
    }

    private func has(_ path: [UInt8], _ digest: SHA256Value) throws -> Bool {
        guard let facts = try? folder.factsIfPresent(of: path), facts.kind == .file else { return false }
        return try folder.digest(of: path).digest == digest
    }

    // MARK: Moving

    /// Carries out a step.
    ///
    /// - Parameter copies: by hash, paths of files that were placed since the last transaction.
    /// - Throws: what stops the whole export, such as a full disk.
    func perform(_ step: Step, _ task: Task, copies: [SHA256Value: [UInt8]]) throws -> PhotoPlacement {
        switch step {
        case .done(let placement): return placement
        case .adopt(let path): return .placed(path)
        case .skip(let path): return .skipped(path)
        case .fail(let problem): return .failed(problem)
        case .move(let path, let existing, let attempt):
            do {
                if try move(task, to: path, existing, copies) { return .placed(path) }
            } catch let error as StorageError {
                guard Self.concernsNameAlone(error) else { throw error }
                return .failed("\(String(decoding: path, as: UTF8.self)) cannot be written: \(error.cause)")
            } catch let error as LostPhoto {
                return .failed(error.description)
            }
            // Somebody was quicker.
            let next = try database.transaction { try claim(task, try choose(task, from: attempt + 1)) }
            return try perform(next, task, copies: copies)
        }
    }

    /// - Returns: false if the name was taken meanwhile.
    private func move(
        _ task: Task, to path: [UInt8], _ existing: ExistingFile, _ copies: [SHA256Value: [UInt8]]
    ) throws -> Bool {
        let object = task.rendition.photo.path.bytes
        if try state.factsIfPresent(of: object) != nil {
            return try folder.adopt(object, of: state, at: path, existing: existing) == .moved
        }
        // Two RAWs with the same bytes have one rendition, and the other one's photo has taken it.
        let known = try database.placed(task.digest).map(\.path) + [copies[task.digest]].compactMap { $0 }
        for other in known where try has(other, task.digest) {
            return try folder.publishCopy(of: other, in: folder, digest: task.digest, at: path, existing: existing)
                .outcome != .kept
        }
        throw LostPhoto()
    }

    /// Notes what became of a photo. Part of a transaction.
    func note(_ placement: PhotoPlacement, _ task: Task) throws {
        let (path, state): ([UInt8], ExportedPhoto.State) =
            switch placement {
            case .placed(let path): (path, .placed)
            case .skipped(let path): (path, .skipped)
            case .failed: (task.name.path(attempt: 1), .missing)
            }
        if state == .placed, let holder = try database.photo(at: path), holder.frame != task.frame {
            try database.set(.missing, of: holder.frame)
        }
        try database.set(
            ExportedPhoto(
                frame: task.frame, round: task.manifest.round, source: task.source, path: path, digest: task.digest,
                state: state))
    }

    /// Removes what the worker left of a photo that needs it no more.
    func removeLeftovers(_ task: Task, _ placement: PhotoPlacement) {
        // The end of the run removes what stays behind here.
        _ = try? state.remove(task.rendition.preview.path.bytes)
        if case .failed = placement { return }
        _ = try? state.remove(task.rendition.photo.path.bytes)
    }

    /// False for an error of the storage as a whole, which other photos would meet too.
    private static func concernsNameAlone(_ error: StorageError) -> Bool {
        switch error.kind {
        case .badPath, .exists, .wrongKind, .pathEscapesRoot, .notFound: true
        default: false
        }
    }
}

/// What became of one photo. Paths are below the export's folder.
public enum PhotoPlacement: Hashable, Sendable {
    case placed([UInt8])
    /// A file of that name is there and was to be kept.
    case skipped([UInt8])
    /// A sentence for people.
    case failed(String)
}

/// The rendition is gone: another photo took it, and was changed since.
private struct LostPhoto: Error, CustomStringConvertible {
    let description = "its photo was gone before it could be placed. Run the same command again: it is made again"
}
