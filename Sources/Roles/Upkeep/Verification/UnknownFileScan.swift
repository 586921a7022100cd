internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import MetadataHost
internal import PhotoTree
internal import PictureFormat
internal import Selection
internal import Storage

/// Finds files in the library's folder without a row, and leftovers of processes that died.
struct UnknownFileScan {
    private typealias Finding = LibraryVerification.Finding

    private enum Unknown {
        case edit(AdoptedEdit)
        case file(Finding.Kind)
    }

    private let context: VerificationContext
    private var store: LibraryStore { context.store }

    init(_ context: VerificationContext) { self.context = context }

    func run() async throws {
        try await scan(LibraryLayout.objects) { path, rows in
            try isKnownObject(path, rows) || store.tables.removed.isDoomed(path) ? nil : .unknownObject
        }
        try await scanPhotos()
        let previews = Array("\(LibraryLayout.hidden)/previews/".utf8)
        let attempts = Array("\(LibraryLayout.attempts)/".utf8)
        try await scan(LibraryLayout.hidden) { path, rows in
            // Number 0 records the end of a delivery, so nothing is open. A killed worker left the file for its
            // successor.
            if path.bytes.starts(with: attempts) {
                let number = path.name.split(separator: UInt8(ascii: ".")).dropFirst(2).first
                return number?.elementsEqual("0".utf8) == true ? nil : .startedAttempt
            }
            guard path.bytes.starts(with: previews) else { return nil }
            return try isKnownPreview(path, rows) || store.tables.removed.isDoomed(path) ? nil : .unknownPreview
        }
    }

    private func scanPhotos() async throws {
        let peoples = Dictionary(try store.tables.people.all().map { ($0.path, $0.edit) }) { first, _ in first }
        try await scanPages(LibraryLayout.photos) { page in
            let strangers = try page.filter {
                try !store.tables.files.hasTreeEntry($0) && !store.tables.files.isOwnRaw($0)
            }
            // The photo has another name because a user's file has this one. That file may still be an edit to adopt.
            let edits = try await context.edits(
                at: strangers.filter { peoples[$0] == nil || peoples[$0] == .some(nil) })
            var unknown: [RelativePath: Unknown] = [:]
            for path in strangers {
                if let edit = edits?[path] {
                    unknown[path] = .edit(edit)
                } else if try peoples[path] == nil && !isDropped(path) {
                    unknown[path] = edits == nil ? nil : .file(.unknownPhoto)
                } else {
                    context.reporter.update { $0.peoples += 1 }
                }
            }
            return unknown
        }
    }

    /// True for a user's dropped file without a photo, or a file that belongs to one. A file with a photo's extension
    /// may come from a process that died, unless its name has no look, as for a camera JPEG.
    private func isDropped(_ path: RelativePath) throws -> Bool {
        guard LibraryLayout.isDropped(path) else { return false }
        let parts = path.name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let fileExtension = parts.count > 1 ? String(decoding: parts[parts.count - 1], as: UTF8.self) : ""
        return try PhotoFormat(fileExtension: fileExtension) == nil || parts.count == 2
            || store.tables.files.hasOwnRaw(beside: path)
    }

    /// - Parameter unknownKind: receives a path and the stored renditions that the names of its page stand for.
    private func scan(
        _ folder: String, _ unknownKind: (RelativePath, Set<RenditionKey>) throws -> Finding.Kind?
    ) async throws {
        try await scanPages(folder) { page in
            let rows = Set(
                try store.tables.files.renditions(named: Set(page.compactMap(SHA256Value.init(stemOf:)))).map(\.key))
            var unknown: [RelativePath: Unknown] = [:]
            for path in page { unknown[path] = try unknownKind(path, rows).map { .file($0) } }
            return unknown
        }
    }

    private func scanPages(
        _ folder: String, _ unknown: ([RelativePath]) async throws -> [RelativePath: Unknown]
    ) async throws {
        guard let top = RelativePath(folder) else { return }
        var walk = FileWalk(root: store.root, below: top)
        while true {
            try Task.checkCancellation()
            let page = try walk.next(VerificationContext.pageSize)
            if page.isEmpty { return }
            let found = try await unknown(page.filter { !Root.isTemporary($0.name) })
            for path in page {
                if Root.isTemporary(path.name) {
                    try recordTemporary(path)
                } else if let unknown = found[path] {
                    try await record(unknown, path)
                }
            }
            context.reporter.publishProgress()
        }
    }

    private func recordTemporary(_ path: RelativePath) throws {
        let finding = Finding(.staleTemporary, path)
        // An earlier finding in the same folder may have removed it.
        let isSwept = try path.folder.map { try context.repairer?.sweepTemporaries(in: $0) ?? false } ?? false
        let isGone = try store.root.factsIfPresent(of: path.bytes) == nil
        context.reporter.add(isSwept || isGone ? finding.repaired() : finding)
    }

    private func record(_ unknown: Unknown, _ path: RelativePath) async throws {
        switch unknown {
        case .edit(let edit):
            let isAdopted = try context.adopter?.adopt(edit) ?? false
            context.reporter.add(isAdopted ? Finding(.photoEdited, path).repaired() : Finding(.photoEdited, path))
        case .file(let kind):
            let isRemoved =
                switch kind {
                case .unknownObject: try await adopts(path)
                case .unknownPhoto: try context.repairer?.removeUnknownPhoto(path) ?? false
                case .unknownPreview: try context.repairer?.removePreview(path) ?? false
                default: false
                }
            context.reporter.add(isRemoved ? Finding(kind, path).repaired() : Finding(kind, path))
        }
    }

    private func adopts(_ path: RelativePath) async throws -> Bool {
        do { return try await context.repairer?.adoptObject(path) ?? false } catch let error as MetadataReaderError {
            context.reporter.add(error.finding(path))
            return false
        }
    }

    private func isKnownObject(_ path: RelativePath, _ rows: Set<RenditionKey>) throws -> Bool {
        guard let file = ObjectFile(path) else { return false }
        if let key = file.rendition, rows.contains(key) { return true }
        return try store.assets.originalCopy(of: file.digest)?.path == path
    }

    private func isKnownPreview(_ path: RelativePath, _ rows: Set<RenditionKey>) -> Bool {
        guard let digest = SHA256Value(stemOf: path), path == LibraryLayout.preview(digest) else { return false }
        return PhotoFormat.allCases.contains { rows.contains(RenditionKey(digest: digest, format: $0)) }
    }
}

/// Reports recorded but unfinished work: links to make and sources to remove.
struct UnfinishedWorkCheck {
    private let context: VerificationContext

    init(_ context: VerificationContext) { self.context = context }

    func run() throws {
        for path in try context.store.tables.pendingLinks.paths() { context.reporter.add(.init(.unfinishedLink, path)) }
        for file in try context.store.tables.removed.doomed() {
            context.reporter.add(.init(.unfinishedRemoval, file.path))
        }
        for removal in try context.store.tables.removals.all() {
            context.reporter.add(.init(.unremovedSource, removal.source.file))
        }
    }
}
