internal import PictureFormat
import Pixels
import Synchronization

/// Encodes the strips of a picture on several threads.
///
/// Each strip is coded as a separate JPEG, and restart markers join them (ITU-T T.81, F.1.1.5). The bytes do not depend
/// on the number of threads, and encoding does not need the complete picture in memory.
final class StripEncoder: Sendable {
    /// `@unchecked Sendable`: a compressor is used only by the thread that took it from `free`, and by `begin` and
    /// `join` while no strip is being written.
    private struct State: @unchecked Sendable {
        var coding = JPEGCoding(quality: 90)
        var free: [StripCompressor] = []
        var all: [StripCompressor] = []
        var picture: (size: PixelSize, subsampling: JPEGSubsampling)?
        var failure: EncodeError?
        var encodingTime = Duration.zero
    }

    private let state = Mutex(State())

    var encodingTime: Duration { state.withLock { $0.encodingTime } }

    /// Encodes a strip on the calling thread. `join` throws the first error.
    func write(_ strip: YCbCrStrip) {
        let start = ContinuousClock.now
        let (free, coding) = state.withLock { ($0.free.popLast(), $0.coding) }
        let used = free ?? StripCompressor()
        var failure: EncodeError?
        do throws(EncodeError) { try used.compress(strip, coding) } catch { failure = error }
        state.withLock {
            $0.free.append(used)
            if free == nil { $0.all.append(used) }
            $0.picture = (strip.picture, coding.subsampling(of: strip.subsampling))
            $0.failure = $0.failure ?? failure
            $0.encodingTime += ContinuousClock.now - start
        }
    }

    func fail(_ error: EncodeError) { state.withLock { $0.failure = $0.failure ?? error } }

    /// Discards the last picture and begins the next one.
    func begin(_ coding: JPEGCoding) {
        state.withLock {
            for compressor in $0.all { compressor.begin() }
            $0.coding = coding
            $0.picture = nil
            $0.failure = nil
            $0.encodingTime = .zero
        }
    }

    /// Maximum size of the file in bytes, for any coding; 0 before the first strip.
    func worstCase() throws(EncodeError) -> Int {
        guard let picture = state.withLock({ $0.picture }) else { return 0 }
        return try TurboHandle.worstCase(picture.size, picture.subsampling)
    }

    /// Joins the strips behind the metadata segments. All strips must have been written.
    ///
    /// - Parameters:
    ///   - header: SOI and metadata segments.
    ///   - spare: holds the file if the strips cannot be joined in place.
    /// - Returns: the file; valid until the next picture, or the next use of `spare`.
    func join(_ header: [UInt8], spare: inout OutputBuffer) throws(EncodeError) -> UnsafeRawBufferPointer {
        let (picture, failure, compressors) = state.withLock { ($0.picture, $0.failure, $0.all) }
        if let failure { throw failure }
        guard let picture, let head = compressors.lazy.compactMap(\.head).first else {
            throw .encoderFailed("it received no picture")
        }
        let parts = compressors.flatMap { compressor in compressor.runs.map { (compressor, $0) } }
            .sorted { $0.1.first < $1.1.first }
        guard parts.reduce(0, { $0 + $1.1.count }) == PictureStrip.count(picture.size) else {
            throw .encoderFailed("it received only a part of the picture")
        }
        let start = header + head.whole(picture.size, restarting: picture.subsampling)
        let byteCount = parts.reduce(start.count) { $0 + $1.1.bytes.count }
        if parts.count == 1, let base = unsafe parts[0].0.base, start.count <= StripCompressor.headCapacity {
            let file = unsafe base + (StripCompressor.headCapacity - start.count)
            unsafe file.copyMemory(from: start, byteCount: start.count)
            return unsafe UnsafeRawBufferPointer(start: file, count: byteCount)
        }
        let file = try unsafe spare.reserve(byteCount)
        unsafe file.copyMemory(from: start, byteCount: start.count)
        var end = start.count
        for (compressor, run) in parts {
            guard let base = unsafe compressor.base else { continue }
            unsafe (file + end).copyMemory(from: base + run.bytes.lowerBound, byteCount: run.bytes.count)
            end += run.bytes.count
        }
        return unsafe UnsafeRawBufferPointer(start: file, count: byteCount)
    }
}
