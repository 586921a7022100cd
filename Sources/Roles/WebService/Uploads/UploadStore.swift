public import Clock
internal import JSON
public import Storage
internal import Synchronization
internal import Telemetry

/// Stores files that clients send in parts. Acknowledged bytes are on disk and survive the process.
///
/// Each upload has two files: `ID.part` with the received bytes, whose length is the offset, and `ID.json` with the
/// client's metadata. `finished.jsonl` lists finished uploads.
public final class UploadStore: Sendable {
    private let root: Root
    private let folder: [UInt8]
    private let limits: Limits
    private let finished: FinishedUploads
    private struct State {
        var uploads: [String: Upload] = [:]
        /// Those that a connection writes to.
        var busy: Set<String> = []
        /// Complete uploads whose file was taken or is being taken.
        var taken: Set<String> = []
    }
    private let state = Mutex(State())

    /// Limits of uploads.
    public struct Limits: Hashable, Sendable {
        /// Of one file.
        public var maxBytes: UInt64 = 4 << 30
        /// Incomplete files.
        public var maxOpen = 10_000
        /// Space that stays free on the disk.
        public var reserveBytes: UInt64 = 1 << 30

        /// Limits for a photographer's server.
        public init() {}
    }

    /// Opens the folder, and creates it if missing. Uploads of an earlier process can be resumed.
    public init(
        _ folder: String, in root: Root, limits: Limits = Limits(), clock: WallClock = .system
    ) throws(StorageError) {
        self.root = root
        self.folder = Array(folder.utf8)
        self.limits = limits
        try root.createFolders(self.folder)
        finished = FinishedUploads(Array("\(folder)/finished.jsonl".utf8), in: root, clock: clock)
        for entry in try root.entries(of: self.folder) {
            let name = String(decoding: entry.name, as: UTF8.self)
            guard name.hasSuffix(".json"), let known = try? read(String(name.dropLast(5))) else { continue }
            if finished[known.id] != nil {
                // The process ended before it removed the files.
                try removeFiles(of: known.id)
                continue
            }
            state.withLock { $0.uploads[known.id] = known }
        }
    }

    private func path(_ id: String, _ ending: String) -> [UInt8] { folder + Array("/\(id).\(ending)".utf8) }

    private func read(_ id: String) throws -> Upload? {
        let document = try JSONValue(parsing: root.contents(of: path(id, "json"), limitBytes: 64 << 10))
        guard Self.isID(id), let length = document["length"]?.integer, length >= 0,
            case .object(let fields) = document["metadata"]
        else { return nil }
        let offset = try root.factsIfPresent(of: path(id, "part"))?.sizeBytes ?? 0
        guard offset <= UInt64(length) else { return nil }
        return Upload(
            id: id, lengthBytes: UInt64(length), metadata: fields.compactMapValues(\.text), offset: offset)
    }

    private static func isID(_ text: String) -> Bool { text.utf8.count == 32 && text.allSatisfy(\.isHexDigit) }

    // MARK: Uploads

    /// Starts an upload. Throws `ServiceError` if it is too long or the disk has too little space; `StorageError`.
    public func create(lengthBytes: UInt64, metadata: [String: String]) throws -> Upload {
        guard lengthBytes <= limits.maxBytes else {
            throw ServiceError(
                413, "too-large", "The file is too large. The limit is \(NumberText.bytes(limits.maxBytes)).")
        }
        let open = state.withLock { $0.uploads.values.filter { !$0.isComplete } }
        guard open.count < limits.maxOpen else {
            throw ServiceError(
                429, "too-many-uploads", "\(open.count) uploads are already in progress.", retryAfterSeconds: 10)
        }
        let promised = open.reduce(0) { $0 + $1.lengthBytes - $1.offset }
        let free = try FileSystemFacts(folder: Array(root.path.utf8)).freeBytes
        if promised + lengthBytes + limits.reserveBytes > free {
            throw ServiceError(
                507, "disk-full",
                "The disk has \(NumberText.bytes(free)) free, too little for this file and a reserve of "
                    + "\(NumberText.bytes(limits.reserveBytes)).",
                remedy: "Free some space; the upload then continues.", retryAfterSeconds: 30)
        }
        let id = Self.newID()
        let upload = Upload(id: id, lengthBytes: lengthBytes, metadata: metadata, offset: 0)
        let fields: JSONFields = ["length": lengthBytes, "metadata": JSONFields(metadata.map { ($0.key, $0.value) })]
        _ = try root.publish(JSONWriter.bytes(fields), at: path(id, "json"))
        state.withLock { $0.uploads[id] = upload }
        return upload
    }

    private static func newID() -> String {
        (0..<4).map { _ in
            let digits = String(UInt32.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// Takes a complete file once: a client may disconnect before the response and ask again. If `body` throws, it can
    /// be taken again.
    func take(_ upload: Upload, _ body: (Upload) throws -> Void) throws {
        guard upload.isComplete else { return }
        let isMine = state.withLock { state in
            state.uploads[upload.id] != nil && state.taken.insert(upload.id).inserted
        }
        guard isMine else { return }
        do { try body(upload) } catch {
            state.withLock { _ = $0.taken.remove(upload.id) }
            throw error
        }
    }

    /// An unfinished upload; nil if there is none with that id.
    public func upload(_ id: String) -> Upload? { state.withLock { $0.uploads[id] } }

    func finishedUpload(_ id: String) -> Upload? { finished[id] }

    /// All unfinished uploads.
    public var all: [Upload] { state.withLock { Array($0.uploads.values) } }

    /// Path of the received bytes, below the root.
    public func file(of upload: Upload) -> [UInt8] { path(upload.id, "part") }

    /// Ends an upload whose file was taken. For a week its client can learn that it is complete.
    public func finish(_ upload: Upload) throws {
        try finished.add(upload)
        try remove(upload.id)
    }

    /// Deletes an upload and its bytes, or the record of a finished one.
    public func remove(_ id: String) throws {
        let isOpen = state.withLock { state in
            state.taken.remove(id)
            return state.uploads.removeValue(forKey: id) != nil
        }
        if isOpen { try removeFiles(of: id) } else { try finished.remove(id) }
    }

    private func removeFiles(of id: String) throws(StorageError) {
        _ = try root.remove(path(id, "json"))
        _ = try root.remove(path(id, "part"))
    }

    // MARK: Writing

    static func wrongOffset(_ offset: UInt64, of upload: Upload) -> ServiceError {
        ServiceError(409, "wrong-offset", "The upload is at offset \(upload.offset), not \(offset).")
    }

    /// Opens an upload for the next part. Throws `ServiceError` with status 404; 409 if the client is at another
    /// offset; 423 while another connection writes.
    func beginWriting(_ id: String, at offset: UInt64) throws -> UploadWriter {
        let upload = try state.withLock { state throws(ServiceError) in
            guard let upload = state.uploads[id] else {
                throw ServiceError(404, "unknown-upload", "There is no such upload.", remedy: "Start it again.")
            }
            guard upload.offset == offset else {
                throw Self.wrongOffset(offset, of: upload)
            }
            guard state.busy.insert(id).inserted else {
                throw ServiceError(423, "busy-upload", "Another connection is sending this file.", retryAfterSeconds: 1)
            }
            return upload
        }
        do {
            return UploadWriter(try GrowingFile(path(id, "part"), in: root), upload: upload)
        } catch {
            endWriting(id, at: upload.offset)
            throw error
        }
    }

    func endWriting(_ id: String, at offset: UInt64) {
        state.withLock { state in
            state.busy.remove(id)
            state.uploads[id]?.offset = offset
        }
    }
}

final class UploadWriter {
    private let file: GrowingFile
    let upload: Upload

    init(_ file: GrowingFile, upload: Upload) {
        self.file = file
        self.upload = upload
    }

    /// Bytes on disk, including those written before an error.
    var offset: UInt64 { (try? file.size()) ?? upload.offset }

    func write(_ bytes: UnsafeRawBufferPointer) throws { try unsafe file.append(bytes) }

    /// Returns when all bytes survive a power cut.
    func sync() throws { try file.sync() }
}
