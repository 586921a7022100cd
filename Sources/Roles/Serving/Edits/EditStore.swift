package import Digest
package import Jobs
internal import Manifests
package import Storage
internal import Synchronization

/// Edits in progress, and photos that an edit could not change. Each edit is a file in `.rawmill/edits`, beside its
/// previews.
///
/// Works for libraries in a file and on a server, whichever program writes the library. Several programs may have it
/// open: each reads the others' files.
package final class EditStore: Sendable {
    private struct Known {
        let changedNanoseconds: Int64
        /// Distinguishes two changes at the same time.
        let file: FileID
        let record: EditRecord?
    }

    private let root: Root
    private let known = Mutex<[[UInt8]: Known]>([:])
    private static let folder = Array("\(LibraryLayout.hidden)/edits".utf8)
    private static let recordEnding = Array(".json".utf8)
    private static let limitBytes: UInt64 = 64 << 20

    /// A larger edit has neither record nor previews: few previews would be ready in time, and a campaign suits it
    /// better.
    package static let maxPhotos = 10_000

    package init(in root: Root) { self.root = root }

    // MARK: Reading

    /// The records, the newest first. Throws `StorageError`.
    package func records() throws -> [EditRecord] {
        guard try root.factsIfPresent(of: Self.folder) != nil else { return [] }
        let names = try root.entries(of: Self.folder).map(\.name).filter { $0.suffix(5) == Self.recordEnding[...] }
        var records: [EditRecord] = []
        for name in names { if let record = try read(name) { records.append(record) } }
        known.withLock { known in known = known.filter { names.contains($0.key) } }
        return records.sorted { $0.createdMilliseconds > $1.createdMilliseconds }
    }

    package subscript(id: String) -> EditRecord? { try? read(Array(id.utf8) + Self.recordEnding) }

    private func read(_ name: [UInt8]) throws -> EditRecord? {
        let path = Self.path(name)
        guard let facts = try root.factsIfPresent(of: path) else { return nil }
        if let found = known.withLock({ $0[name] }), found.changedNanoseconds == facts.changedNanoseconds,
            found.file == facts.id
        {
            return found.record
        }
        // The edit may just have ended.
        guard let bytes = try? root.contents(of: path, limitBytes: Self.limitBytes) else { return nil }
        // Changes are written to the file named by its id.
        let record = EditRecord(bytes).flatMap { Array($0.id.utf8) + Self.recordEnding == name ? $0 : nil }
        known.withLock {
            $0[name] = Known(changedNanoseconds: facts.changedNanoseconds, file: facts.id, record: record)
        }
        return record
    }

    /// The newest edit of a photo that shows a rendition; nil if the photo already shows the edit.
    package func item(showing rendition: SHA256Value) -> (record: EditRecord, item: EditRecord.Item)? {
        for record in (try? records()) ?? [] {
            if let item = record.items.first(where: { $0.shown == rendition }) { return (record, item) }
        }
        return nil
    }

    // MARK: Changing

    /// Records an edit, which replaces earlier edits of the same photos. Throws `StorageError`.
    package func begin(_ record: EditRecord) throws {
        let shown = Set(record.items.map(\.shown))
        for var earlier in try records() where earlier.items.contains(where: { shown.contains($0.shown) }) {
            earlier.items.removeAll { shown.contains($0.shown) }
            try write(earlier)
        }
        try write(record)
    }

    /// Ends an edit, and keeps the photos that it could not change.
    ///
    /// - Parameter problems: the causes, by the rendition that each photo shows.
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

    package static func path(ofPreview key: SHA256Value) -> [UInt8] { path(Array("\(key).jpg".utf8)) }

    package func hasPreview(_ item: EditRecord.Item) -> Bool {
        guard let key = item.preview else { return false }
        return ((try? root.factsIfPresent(of: Self.path(ofPreview: key.digest))) ?? nil) != nil
    }

    /// - Throws: `StorageError`.
    package func keep(_ preview: [UInt8], as key: RenditionKey) throws {
        // A preview lost in a power failure is rendered again.
        _ = try root.publish(preview, at: Self.path(ofPreview: key.digest), existing: .replace, isDurable: false)
    }

    /// Removes the previews of ended edits. Throws `StorageError`.
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
