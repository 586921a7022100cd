package import Digest
package import Jobs
internal import Manifests
package import Storage
internal import Synchronization

/// Edits that are under way, and photos that one could not change: each edit is a file below `.rawmill/edits`, and the previews
/// that are shown meanwhile lie beside it.
///
/// It needs no database, so it is the same for a library in a file and one on a server, and is written whoever writes the library.
/// Several programs may have it open: what one wrote, the others read.
package final class EditStore: Sendable {
    private struct Known {
        let changedNanoseconds: Int64
        /// Two changes may have one time.
        let file: FileID
        let record: EditRecord?
    }

    private let root: Root
    private let known = Mutex<[[UInt8]: Known]>([:])
    private static let folder = Array("\(LibraryLayout.hidden)/edits".utf8)
    private static let recordEnding = Array(".json".utf8)
    private static let limitBytes: UInt64 = 64 << 20

    /// An edit of more has neither note nor previews: most would not be seen in time, and a campaign does that better.
    package static let maxPhotos = 10_000

    /// - Parameter root: the library's folder.
    package init(in root: Root) { self.root = root }

    // MARK: Reading

    /// The newest first.
    ///
    /// - Throws: `StorageError`.
    package func records() throws -> [EditRecord] {
        guard try root.factsIfPresent(of: Self.folder) != nil else { return [] }
        let names = try root.entries(of: Self.folder).map(\.name).filter { $0.suffix(5) == Self.recordEnding[...] }
        var records: [EditRecord] = []
        for name in names { if let record = try read(name) { records.append(record) } }
        known.withLock { known in known = known.filter { names.contains($0.key) } }
        return records.sorted { $0.createdMilliseconds > $1.createdMilliseconds }
    }

    /// Nil for one that has ended.
    package subscript(id: String) -> EditRecord? { try? read(Array(id.utf8) + Self.recordEnding) }

    /// A file is read again when it has changed.
    private func read(_ name: [UInt8]) throws -> EditRecord? {
        let path = Self.path(name)
        guard let facts = try root.factsIfPresent(of: path) else { return nil }
        if let found = known.withLock({ $0[name] }), found.changedNanoseconds == facts.changedNanoseconds,
            found.file == facts.id
        {
            return found.record
        }
        // Its edit may just have ended.
        guard let bytes = try? root.contents(of: path, limitBytes: Self.limitBytes) else { return nil }
        // Its own name is where changes of it are written.
        let record = EditRecord(bytes).flatMap { Array($0.id.utf8) + Self.recordEnding == name ? $0 : nil }
        known.withLock {
            $0[name] = Known(changedNanoseconds: facts.changedNanoseconds, file: facts.id, record: record)
        }
        return record
    }

    /// What the newest edit of a photo says; nil where the photo shows what is wished.
    package func item(showing rendition: SHA256Value) -> (record: EditRecord, item: EditRecord.Item)? {
        for record in (try? records()) ?? [] {
            if let item = record.items.first(where: { $0.shown == rendition }) { return (record, item) }
        }
        return nil
    }

    // MARK: Changing

    /// Notes what is about to be rendered. What earlier edits of the same photos wanted counts no more.
    ///
    /// - Throws: `StorageError`.
    package func begin(_ record: EditRecord) throws {
        let shown = Set(record.items.map(\.shown))
        for var earlier in try records() where earlier.items.contains(where: { shown.contains($0.shown) }) {
            earlier.items.removeAll { shown.contains($0.shown) }
            try write(earlier)
        }
        try write(record)
    }

    /// Ends an edit: what remains of it are the photos that stay as they are.
    ///
    /// - Parameter problems: why, by the rendition that each shows.
    /// - Throws: `StorageError`.
    package func end(_ id: String, problems: [SHA256Value: String]) throws {
        guard var record = self[id] else { return }
        for index in record.items.indices { record.items[index].problem = problems[record.items[index].shown] }
        record.items.removeAll { $0.problem == nil }
        try write(record)
        try sweep()
    }

    private func write(_ record: EditRecord) throws {
        let path = Self.path(Array(record.id.utf8) + Self.recordEnding)
        if record.items.isEmpty {
            _ = try root.remove(path)
        } else {
            _ = try root.publish(record.bytes, at: path, existing: .replace)
        }
    }

    // MARK: Previews

    /// Where the preview with a key is, below the library's folder.
    package static func path(ofPreview key: SHA256Value) -> [UInt8] { path(Array("\(key).jpg".utf8)) }

    package func hasPreview(_ item: EditRecord.Item) -> Bool {
        guard let key = item.preview else { return false }
        return ((try? root.factsIfPresent(of: Self.path(ofPreview: key.digest))) ?? nil) != nil
    }

    /// - Throws: `StorageError`.
    package func keep(_ preview: [UInt8], as key: RenditionKey) throws {
        // One that a power cut takes is rendered again.
        _ = try root.publish(preview, at: Self.path(ofPreview: key.digest), existing: .replace, isDurable: false)
    }

    /// Removes the previews that no edit under way shows.
    ///
    /// - Throws: `StorageError`.
    package func sweep() throws {
        guard try root.factsIfPresent(of: Self.folder) != nil else { return }
        var needed: Set<[UInt8]> = []
        for record in try records() {
            for item in record.items where item.problem == nil {
                if let key = item.preview { needed.insert(Array("\(key).jpg".utf8)) }
            }
        }
        for entry in try root.entries(of: Self.folder)
        where entry.name.suffix(4) == Array(".jpg".utf8)[...] && !needed.contains(entry.name) {
            _ = try root.remove(Self.path(entry.name))
        }
    }

    private static func path(_ name: [UInt8]) -> [UInt8] { folder + [UInt8(ascii: "/")] + name }
}
