internal import Clock
internal import Digest
internal import Jobs
internal import JSON
internal import Manifests
package import Storage
internal import Synchronization
internal import Telemetry
internal import WebService

/// Keeps drops across restarts: each in its own file, to which every change is appended.
package final class DropStore: Sendable {
    private let root: Root
    private let drops = Mutex<[String: Drop]>([:])
    /// Drops whose last line is incomplete because a process ended. Their next line starts with a line break.
    private let cut = Mutex<Set<String>>([])
    private static let folder = Array(".rawmill/drops".utf8)
    private static let limitBytes: UInt64 = 256 << 20

    /// - Throws: `StorageError`.
    package init(in root: Root) throws {
        self.root = root
        guard try root.factsIfPresent(of: Self.folder) != nil else { return }
        for entry in try root.entries(of: Self.folder) {
            guard let text = try? root.contents(of: Self.folder + [0x2f] + entry.name, limitBytes: Self.limitBytes),
                let drop = Self.read(text), entry.name == Self.name(of: drop.id)
            else { continue }
            drops.withLock { $0[drop.id] = drop }
            if text.last != UInt8(ascii: "\n") { cut.withLock { _ = $0.insert(drop.id) } }
        }
    }

    // MARK: Reading

    package subscript(id: String) -> Drop? { drops.withLock { $0[id] } }

    /// The file of an upload, if it belongs to a drop.
    package func file(uploadedAs upload: String) -> DroppedFile? {
        drops.withLock { drops in
            for drop in drops.values {
                if let file = drop.files.values.first(where: { $0.upload == upload }) { return file }
            }
            return nil
        }
    }

    /// All drops, the newest first.
    package var all: [Drop] { drops.withLock { $0.values.sorted { $0.createdMilliseconds > $1.createdMilliseconds } } }

    // MARK: Changing

    /// - Parameter names: the names of the files in their order; empty if unknown.
    /// - Throws: `StorageError`.
    package func begin(title: String, look: String, expected: Int, names: [String] = []) throws -> Drop {
        try root.createFolders(Self.folder)
        let now = WallClock.milliseconds
        let id = String(BatchID.random().description.prefix(16))
        let day = WallClock.text(milliseconds: now).prefix(10)
        var name = "\(day) \(title)"
        let taken = Set(all.map(\.folder))
        var number = 1
        while taken.contains("\(LibraryLayout.drops)/\(name)") {
            number += 1
            name = "\(day) \(title) \(number)"
        }
        let drop = Drop(
            id: id, title: title, look: look, expected: expected, createdMilliseconds: now,
            folder: "\(LibraryLayout.drops)/\(name)",
            batch: .random(), names: names)
        drops.withLock { $0[id] = drop }
        try append(
            [
                "drop": id, "title": title, "look": look, "expected": expected, "created": now, "folder": drop.folder,
                "batch": drop.batch.description, "names": names,
            ], to: id)
        return drop
    }

    package func set(_ file: DroppedFile, of id: String) throws {
        drops.withLock { $0[id]?.files[file.index] = file }
        try append(
            [
                "index": file.index, "name": file.name, "folder": file.folder, "bytes": file.bytes,
                "upload": file.upload, "state": file.state.rawValue, "reason": file.reason, "message": file.message,
                "photos": file.photos, "ended": file.endedMilliseconds, "path": file.path, "asset": file.asset,
            ], to: id)
    }

    /// Sets the album of a drop; nil for none.
    ///
    /// - Parameter added: indexes of files whose photos were added to it.
    package func set(album: String?, added: [Int], of id: String) throws {
        drops.withLock { drops in
            if drops[id]?.album != album { drops[id]?.inAlbum = [] }
            drops[id]?.album = album
            drops[id]?.inAlbum.formUnion(added)
        }
        try append(["album": album ?? "", "added": added], to: id)
    }

    private func append(_ fields: JSONFields, to id: String) throws {
        let wasCut = cut.withLock { $0.remove(id) != nil }
        let line = (wasCut ? [UInt8(ascii: "\n")] : []) + JSONWriter.bytes(fields) + [UInt8(ascii: "\n")]
        let file = try GrowingFile(Self.folder + [UInt8(ascii: "/")] + Self.name(of: id), in: root)
        try unsafe line.withUnsafeBytes { bytes in try unsafe file.append(bytes) }
    }

    private static func name(of id: String) -> [UInt8] { Array("\(id).jsonl".utf8) }

    // MARK: Records of earlier processes

    private static func read(_ text: [UInt8]) -> Drop? {
        var drop: Drop?
        // The last line may be incomplete.
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let document = try? JSONValue(parsing: Array(line)) else { continue }
            if let id = document["drop"]?.text, let title = document["title"]?.text, let look = document["look"]?.text,
                let folder = document["folder"]?.text, let batch = document["batch"]?.text.flatMap({ BatchID(hex: $0) })
            {
                drop = Drop(
                    id: id, title: title, look: look,
                    expected: max(0, Int(clamping: document["expected"]?.integer ?? 0)),
                    createdMilliseconds: document["created"]?.integer ?? 0, folder: folder, batch: batch,
                    names: document["names"]?.texts ?? [])
            } else if let album = document["album"]?.text {
                let name = album.isEmpty ? nil : album
                if drop?.album != name { drop?.inAlbum = [] }
                drop?.album = name
                drop?.inAlbum.formUnion(
                    (document["added"]?.elements ?? []).compactMap { $0.integer.map { Int(clamping: $0) } })
            } else if let index = document["index"]?.integer.map({ Int(clamping: $0) }) {
                guard let state = document["state"]?.text.flatMap(DroppedFile.State.init(rawValue:)) else {
                    drop?.files[index] = nil
                    continue
                }
                drop?.files[index] = DroppedFile(
                    index: index, name: document["name"]?.text ?? "", folder: document["folder"]?.text ?? "",
                    bytes: UInt64(clamping: document["bytes"]?.integer ?? 0), upload: document["upload"]?.text ?? "",
                    state: state, reason: document["reason"]?.text, message: document["message"]?.text,
                    photos: document["photos"]?.texts ?? document["photo"]?.text.map { [$0] } ?? [],
                    path: document["path"]?.text, asset: document["asset"]?.text,
                    endedMilliseconds: document["ended"]?.integer ?? 0)
            }
        }
        return drop
    }
}
