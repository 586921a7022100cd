internal import Broker
internal import Clock
internal import Coordinator
internal import Digest
internal import Jobs
internal import Manifests
internal import PhotoTree
internal import PictureFormat
internal import Selection
internal import Storage
internal import Synchronization
internal import Telemetry
internal import Web
internal import WebService

/// Processes complete uploads of drops: checks their contents, places the RAWs, and requests their photos.
final class DropIntake: Sendable {
    private struct State {
        /// Placed files whose photos are not requested yet.
        var waiting: [(drop: String, index: Int)] = []
        /// Placed files by their paths below the library's folder.
        var places: [[UInt8]: (drop: String, index: Int)] = [:]
        /// Names of files whose photos are not in the library yet.
        var assets: [SHA256Value: String] = [:]
    }

    private let state = Mutex(State())
    private let drops: DropStore
    private let uploads: UploadStore
    private let root: Root
    private let recipes: any RecipeSettings
    private let operations: any Operations
    private let readers: LibraryReaders
    private let events: EventHub
    private let companions: DropCompanions
    let albums: DropAlbums
    private let signal = WakeSignal()
    private let isStopping = Atomic(false)

    init(
        _ drops: DropStore, _ uploads: UploadStore, in root: Root, recipes: any RecipeSettings,
        operations: any Operations,
        readers: LibraryReaders, events: EventHub, onAlbumChange: @escaping @Sendable () -> Void
    ) {
        self.drops = drops
        self.uploads = uploads
        self.root = root
        self.recipes = recipes
        self.operations = operations
        self.readers = readers
        self.events = events
        companions = DropCompanions(drops, uploads, in: root) { [figures = operations.figures] in figures.notice($0) }
        albums = DropAlbums(drops, operations, onChange: onAlbumChange)
        // Files that the last process left open.
        for drop in drops.all {
            for file in drop.files.values {
                guard let path = file.path, file.state != .done else { continue }
                state.withLock { state in
                    // A failed file may be retried.
                    state.places[Array(path.utf8)] = (drop.id, file.index)
                    guard file.isBeingImported else { return }
                    if let asset = file.asset.flatMap({ SHA256Value(hex: $0) }) { state.assets[asset] = file.name }
                    state.waiting.append((drop.id, file.index))
                }
            }
        }
    }

    // MARK: Uploads

    /// Begins an upload. Throws `ServiceError` if it belongs to no drop.
    func begin(_ upload: Upload) throws {
        guard let id = upload.metadata["drop"], let drop = drops[id] else {
            throw ServiceError(
                404, "unknown-drop", "The drop does not exist.", remedy: "Begin one with POST /v1/drops.")
        }
        guard let index = upload.metadata["index"].flatMap({ Int($0) }), (0..<max(drop.expected, 1)).contains(index)
        else {
            throw ServiceError(400, "bad-metadata", "index must be the file's index in the drop, from 0.")
        }
        if DropCompanions.isOne(upload) { return try companions.begin(upload) }
        let name = SafeName.made(of: upload.metadata["filename"] ?? "")
        let expected =
            drop.names.indices.contains(index) ? DroppedFile(expected: drop.names[index], at: index).folder : ""
        try drops.set(
            DroppedFile(
                index: index, name: name, folder: upload.metadata["path"] ?? expected, bytes: upload.lengthBytes,
                upload: upload.id, state: .uploading), of: id)
        events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false)
    }

    /// Handles an upload that a client cancelled. The file keeps its index in the drop.
    func remove(_ upload: Upload) {
        guard let id = upload.metadata["drop"], let index = upload.metadata["index"].flatMap({ Int($0) }),
            let file = drops[id]?.files[index], file.upload == upload.id, file.state == .uploading
        else { return }
        try? giveUp(file, of: id)
        events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false)
    }

    /// Closes a drop: refuses the incomplete files. Returns the number of refused files.
    func close(_ id: String) throws -> Int {
        guard let drop = drops[id] else { return 0 }
        var count = 0
        for index in 0..<drop.expected {
            let file = drop.files[index]
            guard file == nil || file?.state == .uploading else { continue }
            let name = drop.names.indices.contains(index) ? drop.names[index] : ""
            try giveUp(file ?? DroppedFile(expected: name, at: index), of: id)
            count += 1
        }
        events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false)
        return count
    }

    private func giveUp(_ file: DroppedFile, of drop: String) throws {
        var file = file
        (file.state, file.reason, file.message) = (.refused, DroppedFile.notSent, "Its upload is not complete.")
        try drops.set(file, of: drop)
        try companions.settle(with: file, of: drop)
    }

    /// Places a complete upload, or refuses it. An error leaves it unchanged.
    func complete(_ upload: Upload) throws {
        if DropCompanions.isOne(upload) { return try companions.complete(upload) }
        guard let id = upload.metadata["drop"], let drop = drops[id],
            let index = upload.metadata["index"].flatMap({ Int($0) }), var file = drop.files[index]
        else { return }
        defer { events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false) }
        let source = uploads.file(of: upload)
        if let path = file.path.map({ Array($0.utf8) }), try root.factsIfPresent(of: path) != nil,
            try root.digest(of: path).digest.description == file.asset
        {
            // The last process ended after placing the file and before removing the upload.
            if file.state == .uploading { try wait(for: file, at: path, of: id) }
            return try uploads.finish(upload)
        }
        if upload.lengthBytes == 0 { return try refuse(&file, of: id, upload, "corrupt", "The file is empty.") }
        let start = try root.prefix(of: source, byteCount: 16)
        if let kind = FileContent.foreignKind(of: start, sizeBytes: Int(clamping: upload.lengthBytes)) {
            return try refuse(&file, of: id, upload, "not-raw", "It is \(kind), not a RAW.")
        }
        let asset = try root.digest(of: source).digest
        if let known = try known(asset) { return try refuse(&file, of: id, upload, DroppedFile.duplicate, known) }
        file.asset = asset.description
        let place = try place(source, of: upload, &file, in: drop)
        try wait(for: file, at: place, of: id)
        try uploads.finish(upload)
    }

    /// Queues a placed file, whose photo will be requested.
    private func wait(for file: DroppedFile, at place: [UInt8], of drop: String) throws {
        try companions.settle(with: file, of: drop)
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
        // Companions that were completed in between.
        try companions.settle(with: file, of: drop)
        signal.signal()
    }

    private func refuse(
        _ file: inout DroppedFile, of drop: String, _ upload: Upload, _ reason: String, _ message: String
    ) throws {
        (file.state, file.reason, file.message) = (.refused, reason, message)
        try drops.set(file, of: drop)
        try companions.settle(with: file, of: drop)
        try uploads.finish(upload)
    }

    /// A sentence with the RAW's place in library or drop; nil for a new RAW.
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

    /// Links an upload to a free name in `photos/`. The name is recorded before, so that the next process finds the
    /// file if this one ends.
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
            // Never replaces a file.
            guard try root.link(source, at: path) != .kept else { continue }
            return path
        }
        throw ServiceError(409, "no-name", "There are too many files with the name \(name).")
    }

    // MARK: Photos

    func stop() {
        isStopping.store(true, ordering: .releasing)
        signal.signal()
    }

    /// Requests the photos of placed files, until `stop`.
    func work() async {
        var settled: ContinuousClock.Instant?
        while true {
            let count = signal.signalCount
            if isStopping.load(ordering: .acquiring) { return }
            if settled.map({ ContinuousClock.now - $0 >= Self.settling }) ?? true {
                await settle()
                settled = .now
            }
            await albums.follow()
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting.filter { drops[$0.drop]?.files[$0.index]?.isBeingImported ?? false }
            }
            var refused: [(drop: String, index: Int)] = []
            for (id, files) in Dictionary(grouping: waiting, by: \.drop) {
                do { try await ask(for: files.map(\.index), of: id) } catch {
                    refused += files
                    operations.figures.notice("Dropped files wait: \(error)")
                }
            }
            let isOpen = drops.all.contains { $0.files.values.contains(where: \.isBeingImported) }
            // The disk may be full, or another Rawmill may be working.
            let limit = refused.isEmpty ? isOpen ? Self.settling : .seconds(600) : Self.retryPause
            await signal.wait(after: count, limit: limit)
            state.withLock { $0.waiting += refused }
            // Files that arrive together become one request.
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    private func ask(for indexes: [Int], of id: String) async throws {
        guard let drop = drops[id] else { return }
        let selection = try await recipes.request([.init("look", drop.look)]).newRecipes()
        let files = indexes.compactMap { drop.files[$0] }
        for var file in files {
            file.state = .rendering
            try drops.set(file, of: id)
        }
        try await operations.develop(files.compactMap(\.path), selection)
        events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false)
    }

    func ended(_ manifest: Manifest) {
        let path = manifest.source.raw.file.path.bytes
        // An edit does not change a drop.
        guard manifest.source.raw.file.root == .library, !manifest.isHeld,
            let (id, index) = state.withLock({ $0.places[path] })
        else { return }
        switch manifest.outcome {
        case .completed(let renditions):
            take(
                .imported(
                    renditions.map(\.key.description), asset: renditions.first?.asset.description,
                    note: renditions.lazy.compactMap(\.degraded).first),
                at: manifest.finishedMilliseconds, of: id, index)
        case .failed(let failure):
            take(
                .failed(
                    reason: failure.reason.rawValue, message: failure.message(about: manifest.source.raw.file)),
                at: manifest.finishedMilliseconds, of: id, index)
        }
    }

    private func take(_ end: DroppedFile.End, at milliseconds: Int64, of id: String, _ index: Int) {
        guard var file = drops[id]?.files[index], file.take(end, at: milliseconds) else { return }
        // The library knows the file now, or the user may upload it again.
        if let asset = file.asset.flatMap({ SHA256Value(hex: $0) }) {
            state.withLock { _ = $0.assets.removeValue(forKey: asset) }
        }
        // The copy of a file that is not a RAW is removed. A damaged RAW stays.
        if file.reason == FailureReason.notRaw.rawValue, let path = file.path, file.isUnchanged(in: root) {
            _ = try? root.remove(Array(path.utf8))
            file.path = nil
        }
        try? drops.set(file, of: id)
        events.send("drop", "{\"drop\":\"\(id)\"}", isKept: false)
        if drops[id]?.album != nil { signal.signal() }
    }

    // MARK: Recovery of missed events

    private static let settling = Duration.seconds(10)
    private static let retryPause = Duration.seconds(5)

    /// Finds missed ends: of jobs that ended while this page did not run, and of RAWs that the library already had.
    private func settle() async {
        for drop in drops.all {
            let open = drop.files.values.filter(\.isBeingImported)
            guard !open.isEmpty else { continue }
            let found = try? await readers.read { store in
                try open.compactMap { file -> (index: Int, photos: [String])? in
                    guard let asset = file.asset else { return nil }
                    let photos = try store.shownPhotos(of: asset).map(\.key.description)
                    return photos.isEmpty ? nil : (file.index, photos)
                }
            }
            for (index, photos) in found ?? [] {
                take(.imported(photos, asset: nil, note: nil), at: 0, of: drop.id, index)
            }
            let left = (drops[drop.id]?.files.values.filter { $0.isBeingImported && $0.state == .rendering }) ?? []
            guard !left.isEmpty, let failures = try? await operations.failures(of: nil) else { continue }
            let reasons = Dictionary(
                failures.filter { $0.file.root == .library && $0.group != "degraded" && $0.group != "refused" }
                    .map { ($0.file.path.bytes, $0) }
            ) { $1 }
            for file in left {
                guard let failure = file.path.flatMap({ reasons[Array($0.utf8)] }) else { continue }
                take(.failed(reason: failure.group, message: failure.message), at: 0, of: drop.id, file.index)
            }
        }
    }
}
