internal import Jobs
internal import Storage
internal import Synchronization
internal import WebService

/// Companions of a dropped RAW: its sidecar, the camera's JPEG, sound. They have no index in the drop. They remain
/// uploads until the RAW has its name, and are placed beside it before its photo is requested. If the RAW is not
/// imported, they are removed, and the RAW's message reports that.
final class DropCompanions: Sendable {
    private let drops: DropStore
    private let uploads: UploadStore
    private let root: Root
    private let notice: @Sendable (String) -> Void
    /// A companion and its RAW may become complete at the same time.
    private let turn = Mutex(())

    /// - Parameter notice: receives a sentence about a file that could not be kept.
    init(_ drops: DropStore, _ uploads: UploadStore, in root: Root, notice: @escaping @Sendable (String) -> Void) {
        self.drops = drops
        self.uploads = uploads
        self.root = root
        self.notice = notice
    }

    static func isOne(_ upload: Upload) -> Bool { upload.metadata["companion"] != nil }

    private static func name(of upload: Upload) -> String { SafeName.made(of: upload.metadata["filename"] ?? "") }

    private func index(of upload: Upload) -> Int? { upload.metadata["index"].flatMap { Int($0) } }

    /// - Throws: `ServiceError` for a name that is not a companion's.
    func begin(_ upload: Upload) throws {
        let name = Self.name(of: upload)
        guard let ending = name.split(separator: ".").last,
            CompanionName.extensions.contains(ending.lowercased())
        else {
            throw ServiceError(
                400, "bad-metadata", "\(name) is not the name of a companion.",
                remedy: "Send it as a separate file, without companion.")
        }
    }

    func complete(_ upload: Upload) throws {
        guard let id = upload.metadata["drop"], let file = index(of: upload).flatMap({ drops[id]?.files[$0] }) else {
            return
        }
        // The companion waits until its RAW has a name.
        if file.state != .uploading && file.state != .expected { try settle(with: file, of: id) }
    }

    /// Places the complete companions beside a placed RAW, or removes them if the RAW was not imported.
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
        // Never replaces a file.
        notice("\(String(decoding: own, as: UTF8.self)) was not added to \(path): another file has its name there.")
    }
}
