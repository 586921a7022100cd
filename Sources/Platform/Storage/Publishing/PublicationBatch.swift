internal import Digest

/// A file that is to be published together with others.
public struct FileToPublish {
    let bytes: UnsafeRawBufferPointer
    let path: [UInt8]
    let existing: ExistingFile

    /// - Parameters:
    ///   - bytes: must stay until the file is published.
    ///   - path: relative to the root.
    ///   - existing: what to do if a file with other bytes has the name.
    public init(_ bytes: UnsafeRawBufferPointer, at path: [UInt8], existing: ExistingFile) {
        self.bytes = bytes
        self.path = path
        self.existing = existing
    }
}

extension Root {
    /// Puts several files under their final names, whole and durable. They get their names in this order.
    ///
    /// The disk is waited for twice, not twice for each file.
    ///
    /// - Throws: `wrongKind` if something other than a regular file has one of the names.
    public func publish(_ files: [FileToPublish]) throws(StorageError) -> [Publication] {
        try PublicationBatch(root: self).publish(files)
    }
}

/// Puts several files under their final names.
///
/// The steps are those of ``FilePublisher``, each for all files before the next: (1) the bytes are written to files without
/// names; (2) they are made durable, side by side, and so are new folders; (3) the files get their names, in their order;
/// (4) their folders are made durable, side by side.
struct PublicationBatch {
    let root: Root

    /// A file between steps 1 and 3.
    private final class UnnamedFile: Syncable {
        let location: EntryLocation
        let pending: PendingFile
        let path: [UInt8]

        init(_ file: FileToPublish, in root: Root, _ newFolders: inout FolderSyncs) throws(StorageError) {
            path = file.path
            location = try root.createdLocation(of: file.path, "write", &newFolders)
            pending = try PendingFile(in: location.folder, for: file.path)
            try pending.file.write(file.bytes, file.path)
            pending.file.beginSync()
        }

        func sync() throws(StorageError) { try pending.file.sync(path) }
        func takeName() throws(StorageError) -> Bool { try pending.takeName(of: location, path) }
    }

    private enum Step {
        case done(Publication)
        case staged(UnnamedFile)

        /// What has to be made durable before it gets its name.
        var file: (any Syncable)? { if case .staged(let file) = self { file } else { nil } }
    }

    func publish(_ files: [FileToPublish]) throws(StorageError) -> [Publication] {
        var newFolders = FolderSyncs()
        var steps: [Step] = []
        for file in files { steps.append(try begin(file, &newFolders)) }
        // The disk works while the bytes are hashed.
        let digests = files.map { SHA256Value(of: $0.bytes) }
        let unnamed: [any Syncable] = steps.compactMap(\.file)
        try SideBySide.sync(unnamed + (newFolders.folders as [any Syncable]))
        var folders = FolderSyncs()
        var publications: [Publication] = []
        for (index, step) in steps.enumerated() {
            publications.append(try end(step, files[index], digests[index], &folders))
        }
        try folders.sync()
        return publications
    }

    private func begin(_ file: FileToPublish, _ newFolders: inout FolderSyncs) throws(StorageError) -> Step {
        if try root.factsIfPresent(of: file.path) != nil { return .done(try publishAlone(file)) }
        return .staged(try UnnamedFile(file, in: root, &newFolders))
    }

    private func end(
        _ step: Step, _ file: FileToPublish, _ digest: SHA256Value, _ folders: inout FolderSyncs
    ) throws(StorageError) -> Publication {
        switch step {
        case .done(let publication): return publication
        case .staged(let staged):
            // Another writer was quicker.
            guard try staged.takeName() else { return try publishAlone(file) }
            folders.add(staged.location.folder)
            return Publication(outcome: .created, digest: digest, sizeBytes: UInt64(file.bytes.count))
        }
    }

    /// Where the name is taken, bytes have to be compared, and files replaced.
    private func publishAlone(_ file: FileToPublish) throws(StorageError) -> Publication {
        try root.publish(file.bytes, at: file.path, existing: file.existing)
    }
}
