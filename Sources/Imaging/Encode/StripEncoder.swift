internal import PictureFormat
public import Pixels
import Synchronization

/// Encodes the strips of one picture after another, as many at once as there are threads that bring them.
///
/// Each strip is coded as a JPEG of its own and they are joined by restart markers (ITU-T T.81, F.1.1.5): the file has
/// the same bytes however many threads there were, and no picture has to be whole in memory before it is encoded.
public final class StripEncoder: StripSink {
    // The compressors are touched by whoever took one out of `free`, or by `join` when all strips are there.
    private struct State: @unchecked Sendable {
        var quality = 90
        var free: [StripCompressor] = []
        var all: [StripCompressor] = []
        var picture: (size: PixelSize, subsampling: ChromaSubsampling)?
        var failure: EncodeError?
        var encodingTime = Duration.zero
    }

    private let state = Mutex(State())

    init() {}

    /// Time that was spent on the strips of this picture, of all threads together.
    public var encodingTime: Duration { state.withLock { $0.encodingTime } }

    public func write(_ strip: PictureStrip) {
        let start = ContinuousClock.now
        let (free, quality) = state.withLock { ($0.free.popLast(), $0.quality) }
        var used = free
        var failure: EncodeError?
        do throws(EncodeError) {
            if used == nil { used = try StripCompressor() }
            try used?.compress(strip, quality: quality)
        } catch {
            failure = error
        }
        state.withLock {
            if let used {
                $0.free.append(used)
                if free == nil { $0.all.append(used) }
            }
            $0.picture = (strip.picture, strip.subsampling)
            $0.failure = $0.failure ?? failure
            $0.encodingTime += ContinuousClock.now - start
        }
    }

    /// Forgets what was there before.
    func begin(quality: Int) {
        state.withLock {
            for compressor in $0.all { compressor.begin() }
            $0.quality = quality
            $0.picture = nil
            $0.failure = nil
            $0.encodingTime = .zero
        }
    }

    /// Joins the strips behind the metadata's segments, when all have come.
    ///
    /// - Parameter spare: taken where they cannot be joined in place.
    /// - Returns: the file; valid until the next picture, or the next use of the buffer.
    func join(_ header: [UInt8], spare: inout OutputBuffer) throws(EncodeError) -> UnsafeRawBufferPointer {
        let (picture, failure, compressors) = state.withLock { ($0.picture, $0.failure, $0.all) }
        if let failure { throw failure }
        guard let picture, let head = compressors.lazy.compactMap(\.head).first else {
            throw .encoderFailed("it was given no picture")
        }
        let parts = compressors.flatMap { compressor in compressor.runs.map { (compressor, $0) } }
            .sorted { $0.1.first < $1.1.first }
        guard parts.reduce(0, { $0 + $1.1.count }) == PictureStrip.count(picture.size) else {
            throw .encoderFailed("it was given only a part of the picture")
        }
        let start = header + head.whole(picture.size, picture.subsampling)
        let byteCount = parts.reduce(start.count) { $0 + $1.1.bytes.count }
        if parts.count == 1, let base = parts[0].0.base, start.count <= StripCompressor.headRoom {
            let file = base + (StripCompressor.headRoom - start.count)
            file.copyMemory(from: start, byteCount: start.count)
            return UnsafeRawBufferPointer(start: file, count: byteCount)
        }
        let file = try spare.reserve(byteCount)
        file.copyMemory(from: start, byteCount: start.count)
        var end = start.count
        for (compressor, run) in parts {
            guard let base = compressor.base else { continue }
            (file + end).copyMemory(from: base + run.bytes.lowerBound, byteCount: run.bytes.count)
            end += run.bytes.count
        }
        return UnsafeRawBufferPointer(start: file, count: byteCount)
    }
}
