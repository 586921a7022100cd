import PictureFormat
import Pixels
import Synchronization

/// A photo whose encoder needs the whole picture.
protocol WholePicture: AnyObject, Sendable {
    var size: PixelSize { get }

    /// Copies a strip's samples. Each strip comes once, from any thread.
    func fill(_ strip: RGBStrip)

    /// Encodes the photo and writes its file. All strips must have arrived.
    ///
    /// - Returns: the file's size in bytes.
    func write(to file: any PhotoFile) throws(EncodeError) -> Int
}

/// Collects 16-bit strips and encodes the picture on the calling thread of `finish`.
final class WholePictureSink: PictureSink {
    private struct State {
        var isGathered: [Bool]
        var failure: EncodeError?
        var time = Duration.zero
    }

    private let picture: any WholePicture
    private let file: any PhotoFile
    private let state: Mutex<State>

    init(_ picture: any WholePicture, file: any PhotoFile) {
        self.picture = picture
        self.file = file
        state = Mutex(State(isGathered: Array(repeating: false, count: PictureStrip.count(picture.size))))
    }

    var encodingTime: Duration { state.withLock { $0.time } }

    /// Copies a strip's samples. `finish` throws the first error.
    func write(_ strip: PictureStrip) {
        let start = ContinuousClock.now
        do throws(EncodeError) {
            guard case .rgb(let strip) = strip else { throw .wrongDepth }
            guard strip.picture == picture.size else { throw .encoderFailed("a strip belongs to another picture") }
            let isNew = state.withLock { state in
                defer { state.isGathered[strip.index] = true }
                return !state.isGathered[strip.index]
            }
            guard isNew else { throw .encoderFailed("it received a strip twice") }
            picture.fill(strip)
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
        state.withLock { $0.time += ContinuousClock.now - start }
    }

    func finish(_ supplement: PhotoSupplement) throws(EncodeError) -> Int {
        let (failure, isComplete) = state.withLock { ($0.failure, !$0.isGathered.contains(false)) }
        if let failure { throw failure }
        guard isComplete else { throw .encoderFailed("it received only a part of the picture") }
        return try picture.write(to: file)
    }
}
