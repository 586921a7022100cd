internal import Jobs
internal import Storage
internal import Synchronization
internal import WebService

/// Files that belong to a dropped RAW: its sidecar, the camera's JPEG, sound. They have no place of their own in the drop: they wait as
/// uploads until the RAW has its name, and get theirs beside it before its photo is asked for. Where the RAW is
/// not imported, they are removed, and the RAW's message says so.
final class DropCompanions: Sendable {
    private let drops: DropStore
    private let uploads: UploadStore
    private let root: Root
    private let notice: @Sendable (String) -> Void
    /// A companion and its RAW may be whole at the same moment.
    private let turn = Mutex(())

    /// - Parameter notice: is told in a sentence of a file that could not be kept.
    init(_ drops: DropStore, _ uploads: UploadStore, in root: Root, notice: @escaping @Sendable (String) -> Void) {
        self.drops = drops
        self.uploads = uploads
        self.root = root
        self.notice = notice
    }

    /// Whether an upload says that it belongs to the file of its index.
    static func isOne(_ upload: Upload) -> Bool { upload.metadata["companion"] != nil }

    private static func name(of upload: Upload) -> String { SafeName.made(of: upload.metadata["filename"] ?? "") }

    private func index(of upload: Upload) -> Int? { upload.metadata["index"].flatMap { Int($0) } }

    /// A new one.
    ///
    /// - Throws: `ServiceError` for a name that no RAW's companion has.
    func begin(_ upload: Upload) throws {
        let name = Self.name(of: upload)
        guard let ending = name.split(separator: ".").last,
            CompanionName.extensions.contains(ending.lowercased())
        else {
            throw ServiceError(
                400, "bad-metadata", "\(name) is not named like what belongs to a RAW.",
                remedy: "Send it as a file of its own, without companion.")
        }
    }

    /// One is whole.
    func complete(_ upload: Upload) throws {
        guard let id = upload.metadata["drop"], let file = index(of: upload).flatMap({ drops[id]?.files[$0] }) else {
            return
        }
        // Until its RAW has a name it waits.
        if file.state != .uploading && file.state != .expected { try settle(with: file, of: id) }
    }

    /// Gives the companions that are whole their names beside a file that has its own, or removes them where it was not imported.
    func settle(with file: DroppedFile, of id: String) throws {
        try turn.withLock { _ in
            var removed: [String] = []
            for upload in uploads.all
            where upload.isComplete && Self.isOne(upload) && upload.metadata["drop"] == id
                && index(of: upload) == file.index
            {
                if let path = file.path {
                    try place(upload, of: file, at: path)
                } else {
                    removed.append(Self.name(of: upload))
                }
                try uploads.finish(upload)
            }
            guard !removed.isEmpty, var refused = drops[id]?.files[file.index] else { return }
            let names = removed.sorted().joined(separator: ", ")
            refused.message = [refused.message, "Not kept with it: \(names)."].compactMap(\.self).joined(separator: " ")
            try drops.set(refused, of: id)
        }
    }

    private func place(_ upload: Upload, of file: DroppedFile, at path: String) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let own = Array(Self.name(of: upload).utf8)
        let name = CompanionName.renamed(own, of: Array(file.name.utf8), to: Array((parts.last ?? "").utf8)) ?? own
        let place = Array(parts.dropLast().joined(separator: "/").utf8) + [UInt8(ascii: "/")] + name
        let source = uploads.file(of: upload)
        guard try root.link(source, at: place) == .kept,
            try root.digest(of: place).digest != root.digest(of: source).digest
        else { return }
        // A file that has the name already is never replaced.
        notice("\(String(decoding: own, as: UTF8.self)) was not added to \(path): another file has its name there.")
    }
}
