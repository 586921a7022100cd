internal import Clock
internal import JSON
internal import Storage
internal import Synchronization
internal import Telemetry

/// Remembers finished uploads for a week: a client that missed the last response learns by HEAD that its upload is
/// complete.
///
/// Each is a line of one file; a line with time 0 removes an upload.
final class FinishedUploads: Sendable {
    static let keptMilliseconds: Int64 = 7 * 24 * 3_600_000

    private struct Entry {
        let lengthBytes: UInt64
        let milliseconds: Int64
    }
    private struct State {
        var entries: [String: Entry] = [:]
        var lines = 0
    }

    private let root: Root
    private let path: [UInt8]
    private let clock: WallClock
    private let state: Mutex<State>
    private static let limitBytes: UInt64 = 256 << 20

    init(_ path: [UInt8], in root: Root, clock: WallClock) {
        self.root = root
        self.path = path
        self.clock = clock
        var read = State()
        // Without the file, or with a damaged line, a client only sends a file again.
        let text = (try? root.contents(of: path, limitBytes: Self.limitBytes)) ?? []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            read.lines += 1
            guard let document = try? JSONValue(parsing: Array(line)), let id = document["upload"]?.text,
                let length = document["length"]?.integer, let time = document["finished"]?.integer
            else { continue }
            read.entries[id] = Entry(lengthBytes: UInt64(clamping: length), milliseconds: time)
        }
        state = Mutex(read)
    }

    subscript(id: String) -> Upload? {
        guard let entry = state.withLock({ $0.entries[id] }), isKept(entry) else { return nil }
        return Upload(id: id, lengthBytes: entry.lengthBytes, metadata: [:], offset: entry.lengthBytes)
    }

    private func isKept(_ entry: Entry) -> Bool { clock.milliseconds - entry.milliseconds < Self.keptMilliseconds }

    /// Stores an upload durably.
    func add(_ upload: Upload) throws {
        try write(upload.id, Entry(lengthBytes: upload.lengthBytes, milliseconds: clock.milliseconds))
    }

    func remove(_ id: String) throws {
        guard let upload = self[id] else { return }
        try write(id, Entry(lengthBytes: upload.lengthBytes, milliseconds: 0))
    }

    private func write(_ id: String, _ entry: Entry) throws {
        try state.withLock { state in
            state.entries[id] = entry
            state.lines += 1
            // Rewrite the file when expired lines outnumber the kept ones, so that rewriting is rare.
            if state.lines > 1000, state.lines > 2 * state.entries.values.count(where: isKept) {
                state.entries = state.entries.filter { isKept($0.value) }
                state.lines = state.entries.count
                let text = state.entries.flatMap { Self.line($0.key, $0.value) }
                _ = try root.publish(text, at: path, existing: .replace)
            } else {
                let file = try GrowingFile(path, in: root)
                try unsafe Self.line(id, entry).withUnsafeBytes { bytes in try unsafe file.append(bytes) }
                try file.sync()
            }
        }
    }

    private static func line(_ id: String, _ entry: Entry) -> [UInt8] {
        let fields: JSONFields = ["upload": id, "length": entry.lengthBytes, "finished": entry.milliseconds]
        return JSONWriter.bytes(fields) + [UInt8(ascii: "\n")]
    }
}
