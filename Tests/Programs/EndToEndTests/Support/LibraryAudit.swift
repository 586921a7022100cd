import Broker
import Database
import Digest
import Foundation
import Jobs
import Manifests
import Records
import Testing

/// Checks the invariants independently of the program: reads a library's databases and files, and compares them.
struct LibraryAudit {
    let library: URL

    private func database(_ name: String) throws -> Connection {
        try Connection(path: library.appending(path: name).path, mode: .readOnly)
    }

    /// False if the program was killed before its ledger had tables: nothing was accepted then.
    func hasLedger() throws -> Bool {
        let name = ".rawmill/coordinator.sqlite"
        guard FileManager.default.fileExists(atPath: library.appending(path: name).path) else { return false }
        let tables = try database(name).first("SELECT count(*) FROM sqlite_master WHERE name = 'batches'") {
            $0.integer(0)
        }
        return tables == 1
    }

    /// I1: every accepted job is in one state, and the batches' sums are those of their jobs.
    func checkLedger(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let ledger = try database(".rawmill/coordinator.sqlite")
        let unbalanced = try ledger.all(
            "SELECT id FROM batches WHERE accepted <> open + catalogued + degraded + failed + cancelled"
        ) { $0.integer(0) }
        #expect(unbalanced.isEmpty, sourceLocation: sourceLocation)
        // A job that a later batch took up again counts in both, and is open or ended in the later one.
        let wrong = try ledger.all(
            """
            SELECT b.id FROM batches b WHERE open <> (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND state < 2)
                OR catalogued < (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND state = 2)
                OR degraded < (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND state = 3)
                OR failed < (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND state = 4)
            """
        ) { $0.integer(0) }
        #expect(wrong.isEmpty, sourceLocation: sourceLocation)
    }

    /// Files whose jobs ended without a photo.
    func failedPaths() throws -> Set<String> {
        let ledger = try database(".rawmill/coordinator.sqlite")
        return Set(
            try ledger.all("SELECT path FROM jobs WHERE state = 4") { String(decoding: $0.blob(0), as: UTF8.self) })
    }

    /// Jobs by state: accepted, published, catalogued, degraded, failed, cancelled.
    func jobs(in states: Int...) throws -> Set<String> {
        let ledger = try database(".rawmill/coordinator.sqlite")
        let list = states.map(String.init).joined(separator: ",")
        return Set(try ledger.all("SELECT hex(id) FROM jobs WHERE state IN (\(list))") { $0.text(0).lowercased() })
    }

    /// The number of started renders, by the manifests.
    func startedRenders() throws -> Int {
        Int(
            try database(".rawmill/coordinator.sqlite").first("SELECT total(attempts) FROM jobs") { $0.integer(0) } ?? 0
        )
    }

    /// I2 and I3: rows and files correspond one to one; every file has its row's bytes; `photos/` shows the rendition
    /// itself.
    func checkFiles(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let store = try database("library.sqlite")
        var objects: Set<String> = []
        try store.each("SELECT key, photo_sha256, preview_sha256 FROM renditions") { row in
            guard let key = RenditionKey(bytes: row.blob(0)) else { return }
            let photo = LibraryLayout.photo(key).description
            objects.insert(photo)
            let (photoDigest, previewDigest) = (row.blob(1), row.blob(2))
            let foundPhoto = try digest(photo)
            #expect(foundPhoto == photoDigest, "\(photo)", sourceLocation: sourceLocation)
            let preview = LibraryLayout.preview(key).description
            let foundPreview = try digest(preview)
            #expect(foundPreview == previewDigest, "\(preview)", sourceLocation: sourceLocation)
        }
        #expect(Set(files(below: "objects")) == objects, sourceLocation: sourceLocation)
        var shown: Set<String> = []
        try store.each("SELECT path, key FROM tree WHERE key IS NOT NULL") { row in
            guard let key = RenditionKey(bytes: row.blob(1)) else { return }
            let path = String(decoding: row.blob(0), as: UTF8.self)
            shown.insert(path)
            let object = LibraryLayout.photo(key).description
            let isSame = try digest(path) == digest(object) && inode(path) != inode(object)
            #expect(isSame, "\(path)", sourceLocation: sourceLocation)
        }
        #expect(Set(files(below: "photos")) == shown, sourceLocation: sourceLocation)
    }

    /// I4: no group committed beyond the written records, and no unfinished job precedes a committed offset.
    ///
    /// - Returns: the committed offsets, which must not decrease between calls.
    func checkOffsets(sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String: Int64] {
        let broker = try await EmbeddedBroker.open(path: library.appending(path: ".rawmill/broker.sqlite").path)
        var committed: [String: Int64] = [:]
        var reachable: Set<String> = []
        for topic in [Topics.bulkJobs, Topics.retry] {
            let offsets = try await broker.committed(group: "\(topic).workers", topic: topic)
            let written = try await broker.watermarks(topic: topic)
            for (partition, offset) in offsets {
                #expect(offset <= written[partition]?.upperBound ?? 0, sourceLocation: sourceLocation)
                committed["\(topic)/\(partition)"] = offset
            }
            for record in try await all(broker, topic, from: offsets) {
                reachable.insert(try Job(record: record).id.description)
            }
        }
        for record in try await all(broker, Topics.manifests, from: [:]) {
            reachable.insert(try Manifest(record: record).job.description)
        }
        await broker.close()
        #expect(try jobs(in: 1).isSubset(of: reachable), sourceLocation: sourceLocation)
        return committed
    }

    private func all(_ broker: EmbeddedBroker, _ topic: String, from offsets: [Int32: Int64]) async throws -> [[UInt8]]
    {
        let reader = try await broker.reader(topic: topic, from: offsets)
        var found: [[UInt8]] = []
        while true {
            let some = try await reader.poll(limit: 500, wait: .milliseconds(1))
            if some.isEmpty { break }
            found += some.map { $0.record.value ?? [] }
        }
        await reader.close()
        return found
    }

    /// I9: no unfinished file is left, and no process works here any more.
    func checkQuiet(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let left = files(below: "").filter { $0.contains(".rawmill-") || $0.hasSuffix(".tmp") }
        #expect(left.isEmpty, sourceLocation: sourceLocation)
        #expect(files(below: ".rawmill/attempts").isEmpty, sourceLocation: sourceLocation)
        #expect(ProcessTree.naming(library.path).isEmpty, sourceLocation: sourceLocation)
    }

    /// Hash of every rendition by its key.
    func digests() throws -> [String: String] {
        var found: [String: String] = [:]
        try database("library.sqlite").each("SELECT hex(key), hex(photo_sha256) || hex(preview_sha256) FROM renditions")
        {
            found[$0.text(0)] = $0.text(1)
        }
        return found
    }

    private func files(below folder: String) -> [String] {
        let base = folder.isEmpty ? library : library.appending(path: folder)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: base.path)) ?? []
        return names.filter { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: base.appending(path: name).path, isDirectory: &isFolder)
            return !isFolder.boolValue
        }.map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
    }

    private func digest(_ path: String) throws -> [UInt8] {
        SHA256Value(of: Array(try Data(contentsOf: library.appending(path: path)))).bytes
    }

    private func inode(_ path: String) throws -> UInt64 {
        var facts = stat()
        guard lstat(library.appending(path: path).path, &facts) == 0 else { throw POSIXError(.ENOENT) }
        return UInt64(facts.st_ino)
    }
}
