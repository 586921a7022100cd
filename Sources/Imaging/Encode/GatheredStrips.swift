import PictureFormat
import Pixels

/// Which strips of a picture an encoder has that needs all of them before it begins.
struct GatheredStrips {
    private let size: PixelSize
    private var isGathered: [Bool]
    private var failure: EncodeError?
    /// Time spent on the strips, summed over all threads.
    private(set) var time = Duration.zero

    init(_ size: PixelSize) {
        self.size = size
        isGathered = Array(repeating: false, count: PictureStrip.count(size))
    }

    /// - Returns: whether the strip's samples are to be taken. What is wrong with it is thrown when all should be there.
    mutating func begin(_ strip: RGB16Strip) -> Bool {
        guard strip.picture == size else {
            failure = failure ?? .encoderFailed("a strip is of another picture")
            return false
        }
        guard !isGathered[strip.index] else {
            failure = failure ?? .encoderFailed("it was given a strip twice")
            return false
        }
        isGathered[strip.index] = true
        return true
    }

    mutating func add(_ time: Duration) { self.time += time }

    /// Call it when the last strip has come.
    func checkAreAll() throws(EncodeError) {
        if let failure { throw failure }
        guard !isGathered.contains(false) else { throw .encoderFailed("it was given only a part of the picture") }
    }
}
