internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// Files without a row.
extension VerificationRun {
    mutating func lookForUnknownFiles() throws {
        try walk(LibraryLayout.objects) { run, path in try run.isKnownObject(path) ? nil : .unknownObject }
        try walk(LibraryLayout.photos) { run, path in try run.library.hasTreeFile(path) ? nil : .unknownPhoto }
        let previews = Array("\(LibraryLayout.hidden)/previews/".utf8)
        let attempts = Array("\(LibraryLayout.attempts)/".utf8)
        try walk(LibraryLayout.hidden) { run, path in
            // The note of an end, number 0, says nothing is open: a worker that was killed left it for the next one.
            if path.bytes.starts(with: attempts) {
                let number = path.name.split(separator: UInt8(ascii: ".")).dropFirst(2).first
                return number?.elementsEqual("0".utf8) == true ? nil : .startedAttempt
            }
            guard path.bytes.starts(with: previews) else { return nil }
            return try run.isKnownPreview(path) ? nil : .unknownPreview
        }
    }

    /// Steps that were noted and not done.
    mutating func lookForUnfinishedWork() throws {
        for path in try library.unsettledPaths() { add(LibraryVerification.Finding(.unfinishedLink, path)) }
        for removal in try library.removals() {
            add(LibraryVerification.Finding(.unremovedSource, removal.source.file))
        }
    }

    private mutating func walk(
        _ folder: String, _ judge: (Self, RelativePath) throws -> LibraryVerification.Finding.Kind?
    ) throws {
        guard let top = RelativePath(folder) else { return }
        var walk = FileWalk(root: library.root, below: top)
        while true {
            try Task.checkCancellation()
            let paths = try walk.next(Self.page)
            if paths.isEmpty { return }
            for path in paths {
                if Root.isTemporary(path.name) {
                    try judgeTemporary(path)
                } else if let kind = try judge(self, path) {
                    try judgeUnknown(path, kind)
                }
            }
            onProgress(report)
        }
    }

    private mutating func judgeTemporary(_ path: RelativePath) throws {
        let finding = LibraryVerification.Finding(.staleTemporary, path)
        // Swept with its neighbours by an earlier finding, it is there no more.
        let isSwept = try path.folder.map { try repairer?.sweep($0) ?? false } ?? false
        let isGone = try library.root.factsIfPresent(of: path.bytes) == nil
        add(isSwept || isGone ? finding.repaired() : finding)
    }

    private mutating func judgeUnknown(_ path: RelativePath, _ kind: LibraryVerification.Finding.Kind) throws {
        let isRemoved =
            switch kind {
            case .unknownPhoto: try repairer?.removeUnknown(path) ?? false
            case .unknownPreview: try repairer?.removePreview(path) ?? false
            default: false
            }
        add(isRemoved ? LibraryVerification.Finding(kind, path).repaired() : LibraryVerification.Finding(kind, path))
    }

    private func isKnownObject(_ path: RelativePath) throws -> Bool {
        guard let file = ObjectFile(path) else { return false }
        if file.mayBeRendition, try library.hasRendition(RenditionKey(digest: file.digest)) { return true }
        return try library.originalCopy(of: file.digest)?.path == path
    }

    private func isKnownPreview(_ path: RelativePath) throws -> Bool {
        let stem = path.name.prefix { $0 != UInt8(ascii: ".") }
        guard let digest = SHA256Value(hex: String(decoding: stem, as: UTF8.self)) else { return false }
        let key = RenditionKey(digest: digest)
        return try path == LibraryLayout.preview(key) && library.hasRendition(key)
    }
}
