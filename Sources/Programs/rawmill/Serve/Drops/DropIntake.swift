import Broker
import Clock
import CommandLineTool
import Coordinator
import Digest
import Jobs
import Library
import Manifests
import PictureFormat
import Storage
import Synchronization
import Telemetry
import Web
import WebService

/// Takes dropped files that are whole: looks at what they are, puts RAWs where they stay, and asks for their photos.
final class DropIntake: Sendable {
    private struct State {
        /// Placed files whose photos are to be asked for: drop, index.
        var waiting: [(drop: String, index: Int)] = []
        /// Files of drops by their paths below the library.
        var places: [[UInt8]: (drop: String, index: Int)] = [:]
        /// Assets of files that are on their way.
        var assets: [SHA256Value: String] = [:]
    }

    private let state = Mutex(State())
    private let drops: DropStore
    private let uploads: UploadStore
    private let root: Root
    private let folder: String
    private let works: any Works
    private let readers: LibraryReaders
    private let events: EventHub
    private let signal = WakeSignal()
    private let isStopping = Atomic(false)

    init(
        _ drops: DropStore, _ uploads: UploadStore, in root: Root, folder: String, works: any Works,
        readers: LibraryReaders, events: EventHub
    ) {
        self.drops = drops
        self.uploads = uploads
        self.root = root
        self.folder = folder
        self.works = works
        self.readers = readers
        self.events = events
        // What the last process had not finished.
        for drop in drops.all {
            for file in drop.files.values {
                guard let path = file.path, file.state == .waiting || file.state == .rendering else { continue }
                state.withLock { state in
                    if let asset = file.asset.flatMap({ SHA256Value(hex: $0) }) { state.assets[asset] = file.name }
                    state.places[Array(path.utf8)] = (drop.id, file.index)
                    state.waiting.append((drop.id, file.index))
                }
            }
        }
    }

    // MARK: Uploads

    /// A new upload.
    ///
    /// - Throws: `ServiceError` if it belongs to no drop.
    func begin(_ upload: Upload) throws {
        guard let id = upload.metadata["drop"], let drop = drops[id] else {
            throw ServiceError(404, "unknown-drop", "There is no such drop.", remedy: "Begin one with POST /v1/drops.")
        }
        guard let index = upload.metadata["index"].flatMap({ Int($0) }), (0..<max(drop.expected, 1)).contains(index)
        else {
            throw ServiceError(400, "bad-metadata", "index must be the file's place in the drop, from 0.")
        }
        let name = SafeName.made(of: upload.metadata["filename"] ?? "")
        try drops.set(
            DroppedFile(
                index: index, name: name, folder: upload.metadata["path"] ?? "", bytes: upload.lengthBytes,
                upload: upload.id, state: .uploading), of: id)
        events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false)
    }

    /// A client gave an upload up.
    func remove(_ upload: Upload) {
        guard let id = upload.metadata["drop"], let index = upload.metadata["index"].flatMap({ Int($0) }) else {
            return
        }
        try? drops.remove(index: index, of: id)
    }

    /// A file is whole and on disk. It is placed before the client learns that, or refused; an error leaves it as it is.
    func complete(_ upload: Upload) throws {
        guard let id = upload.metadata["drop"], let drop = drops[id],
            let index = upload.metadata["index"].flatMap({ Int($0) }), var file = drop.files[index]
        else { return }
        defer { events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false) }
        let source = uploads.file(of: upload)
        if let path = file.path.map({ Array($0.utf8) }), try root.factsIfPresent(of: path) != nil,
            try root.digest(of: path).digest.description == file.asset
        {
            // The last process placed it, and ended before it forgot the upload.
            if file.state == .uploading { try wait(for: file, at: path, of: id) }
            return try uploads.finish(upload)
        }
        if upload.lengthBytes == 0 { return try refuse(&file, of: id, upload, "corrupt", "The file is empty.") }
        let start = try root.prefix(of: source, byteCount: 16)
        if let kind = FileContent.foreignKind(of: start, sizeBytes: Int(clamping: upload.lengthBytes)) {
            return try refuse(&file, of: id, upload, "not-raw", "It is \(kind), not a RAW.")
        }
        let asset = try root.digest(of: source).digest
        if let known = try known(asset) { return try refuse(&file, of: id, upload, "duplicate", known) }
        file.asset = asset.description
        let place = try place(source, of: upload, &file, in: drop)
        try wait(for: file, at: place, of: id)
        try uploads.finish(upload)
    }

    /// Asks for the photo of a file that is placed.
    private func wait(for file: DroppedFile, at place: [UInt8], of drop: String) throws {
        var file = file
        file.state = .waiting
        let (index, name) = (file.index, file.name)
        let asset = file.asset.flatMap { SHA256Value(hex: $0) }
        state.withLock { state in
            if let asset { state.assets[asset] = name }
            state.places[place] = (drop, index)
            state.waiting.append((drop, index))
        }
        try drops.set(file, of: drop)
        signal.signal()
    }

    private func refuse(
        _ file: inout DroppedFile, of drop: String, _ upload: Upload, _ reason: String, _ message: String
    ) throws {
        (file.state, file.reason, file.message) = (.refused, reason, message)
        try drops.set(file, of: drop)
        try uploads.finish(upload)
    }

    /// Where the library has a RAW already, as a sentence; nil if it has not.
    private func known(_ asset: SHA256Value) throws -> String? {
        if let name = state.withLock({ $0.assets[asset] }) { return "It is the same file as \(name)." }
        let found = Blocking.result { [readers] in
            try await readers.read { store -> String? in
                guard case .found(let frames) = try store.assets.find(.prefix(asset.description)),
                    let shown = frames.first?.photos.first
                else { return nil }
                return "It is in the library already: \(shown.path)."
            }
        }
        return try found.get()
    }

    /// Gives a file a name below `photos/` that is free, beside the one that it has as an upload until that is finished. The name
    /// is written down first: whenever the process ends, the next one finds the file.
    private func place(
        _ source: [UInt8], of upload: Upload, _ file: inout DroppedFile, in drop: Drop
    ) throws -> [UInt8] {
        let below = file.folder.split(separator: "/").map { SafeName.made(of: String($0)) }
        let folder = ([LibraryLayout.photos, drop.folder] + below).joined(separator: "/")
        try root.createFolders(Array(folder.utf8))
        let name = file.name
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        for number in 1...10_000 {
            let free = number == 1 ? name : "\(name[..<dot]) (\(number))\(name[dot...])"
            let path = Array("\(folder)/\(free)".utf8)
            guard try root.factsIfPresent(of: path) == nil else { continue }
            file.path = "\(folder)/\(free)"
            try drops.set(file, of: drop.id)
            // A file that has the name already is never replaced.
            guard try root.link(source, at: path) != .kept else { continue }
            return path
        }
        throw ServiceError(409, "no-name", "There are too many files of the name \(name).")
    }

    // MARK: Photos

    /// Ends `work`.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        signal.signal()
    }

    /// Asks for photos of what was placed, until `stop`.
    func work() async {
        while true {
            let count = signal.signalCount
            if isStopping.load(ordering: .acquiring) { return }
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for (id, files) in Dictionary(grouping: waiting, by: \.drop) {
                do { try await ask(for: files.map(\.index), of: id) } catch {
                    // The disk may be full, or another Rawmill at work: it is tried again.
                    state.withLock { $0.waiting += files }
                    works.figures.notice("Dropped files wait: \(error)")
                    try? await Task.sleep(for: .seconds(5))
                }
            }
            if state.withLock({ $0.waiting.isEmpty }) { await signal.wait(after: count, limit: .seconds(600)) }
            // Several that come at once are one request.
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    private func ask(for indexes: [Int], of id: String) async throws {
        guard let drop = drops[id] else { return }
        let selection = try await RecipeQuery([.init("look", drop.look)], library: folder).selection()
        let files = indexes.compactMap { drop.files[$0] }
        for var file in files {
            file.state = .rendering
            try drops.set(file, of: id)
        }
        try await works.develop(files.compactMap(\.path), selection)
        events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false)
    }

    /// A job ended.
    func ended(_ manifest: Manifest) {
        let path = manifest.source.raw.file.path.bytes
        guard manifest.source.raw.file.root == .library,
            let (id, index) = state.withLock({ $0.places[path] }), var file = drops[id]?.files[index]
        else { return }
        // From here on the library knows it, or it may be tried again.
        if let asset = file.asset.flatMap({ SHA256Value(hex: $0) }) {
            state.withLock { _ = $0.assets.removeValue(forKey: asset) }
        }
        switch manifest.outcome {
        case .completed(let renditions):
            (file.state, file.photo) = (.done, renditions.first?.key.description)
            (file.reason, file.message) = (nil, nil)
        case .failed(let failure):
            (file.state, file.reason) = (.refused, failure.reason.rawValue)
            file.message = failure.message(about: manifest.source.raw.file)
            // A text among the RAWs is not imported: its copy goes. What may be a RAW stays, whatever is wrong with it.
            if failure.reason == .notRaw {
                _ = try? root.remove(path)
                file.path = nil
            }
        }
        try? drops.set(file, of: id)
        events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false)
    }
}

/// Names that are harmless on every system.
enum SafeName {
    /// A name may have 255 bytes, and gets a number where it is taken.
    private static let maxBytes = 200

    static func made(of name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? ""
        var safe = String(
            String.UnicodeScalarView(
                last.unicodeScalars.map { scalar in
                    let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
                    return isControl || "\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar
                }))
        if safe.utf8.count > maxBytes { safe = String(decoding: safe.utf8.suffix(maxBytes), as: UTF8.self) }
        return safe.isEmpty || safe.allSatisfy { $0 == "." } || safe.first == "." ? "_" + safe : safe
    }
}
