internal import Digest
internal import Jobs
internal import Manifests
internal import Storage
internal import Synchronization
internal import WebService
internal import Worker

/// Pictures that cameras embedded in RAWs, extracted by a render process in its sandbox. The most recent ones are kept
/// as unnamed files, which vanish with the server.
final class CameraPictures: Sendable {
    private struct Key: Hashable {
        let asset: SHA256Value
        let size: CameraPictureSize
    }

    /// A file of nil means that the RAW has no picture.
    private struct Entry {
        let file: OpenFile?
        var used: UInt64

        var sizeBytes: UInt64 { file?.facts.sizeBytes ?? 0 }
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var sizeBytes: UInt64 = 0
        var clock: UInt64 = 0
    }

    private let state = Mutex(State())
    private let renderer: DirectRenderer
    /// Each entry is an open file.
    private static let maxCount = 128
    private static let maxBytes: UInt64 = 256 << 20

    init(_ renderer: DirectRenderer) { self.renderer = renderer }

    /// The camera's picture in a RAW, an upright JPEG.
    ///
    /// - Parameters:
    ///   - raw: the RAW's location.
    ///   - asset: SHA-256 of its bytes.
    /// - Throws: `ServiceError`, with status 404 if the RAW has none.
    func picture(_ size: CameraPictureSize, of raw: FileStamp, asset: SHA256Value) async throws(ServiceError)
        -> OpenFile
    {
        let key = Key(asset: asset, size: size)
        let file: OpenFile?
        if let known = known(key) { file = known.file } else { file = try await keep(takeOut(size, raw), as: key) }
        guard let file else {
            throw ServiceError(404, "no-camera-picture", "The camera embedded no picture in this RAW.")
        }
        return file
    }

    private func takeOut(_ size: CameraPictureSize, _ raw: FileStamp) async throws(ServiceError) -> OpenFile? {
        do throws(DirectRenderer.Problem) { return try await renderer.cameraPicture(size, of: raw) } catch {
            throw RenderRoutes.explained(error, of: raw.file)
        }
    }

    private func known(_ key: Key) -> Entry? {
        state.withLock { state in
            state.clock += 1
            state.entries[key]?.used = state.clock
            return state.entries[key]
        }
    }

    /// Keeps a picture, and removes the least recently used.
    private func keep(_ file: OpenFile?, as key: Key) -> OpenFile? {
        state.withLock { state in
            state.clock += 1
            if let old = state.entries.removeValue(forKey: key) { state.sizeBytes -= old.sizeBytes }
            let entry = Entry(file: file, used: state.clock)
            state.entries[key] = entry
            state.sizeBytes += entry.sizeBytes
            while state.entries.count > 1, state.entries.count > Self.maxCount || state.sizeBytes > Self.maxBytes,
                let oldest = state.entries.min(by: { $0.value.used < $1.value.used })?.key,
                let gone = state.entries.removeValue(forKey: oldest)
            {
                state.sizeBytes -= gone.sizeBytes
            }
        }
        return file
    }
}
