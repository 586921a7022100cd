import PictureFormat
import Pixels

/// One thread's compressor: the entropy-coded data of its strips, one after another in one buffer.
final class StripCompressor {
    /// Strips that stand behind each other in the buffer and in the picture, each with the marker that follows it.
    struct Run {
        let first: Int
        var count: Int
        var bytes: Range<Int>
    }

    /// Bytes before the first strip: room for the largest head there is.
    static let headRoom = 3 << 16

    private let turbo: TurboHandle
    private var buffer = OutputBuffer()
    private var end = StripCompressor.headRoom
    private(set) var runs: [Run] = []
    private(set) var head: JPEGHead?

    init() throws(EncodeError) { turbo = try TurboHandle() }

    /// Forgets the strips of the last picture.
    func begin() {
        runs = []
        head = nil
        end = Self.headRoom
    }

    /// Nil before the first strip.
    var base: UnsafeMutableRawPointer? { buffer.base }

    func compress(_ strip: PictureStrip, quality: Int) throws(EncodeError) {
        let place = try room(strip)
        let byteCount = try turbo.compress(strip, quality: quality, output: place)
        let jpeg = UnsafeRawBufferPointer(start: place, count: byteCount)
        guard let head = JPEGHead(jpeg), byteCount >= head.byteCount + 2 else {
            throw .encoderFailed("it wrote no JPEG")
        }
        // The data moves to where the head stood; the end of the strip becomes the marker of a restart, which begins
        // with the same state as a picture does, or stays the end of the picture.
        let dataCount = byteCount - head.byteCount
        place.copyMemory(from: place + head.byteCount, byteCount: dataCount)
        if !strip.isLast {
            place.storeBytes(of: 0xD0 + UInt8(strip.index & 7), toByteOffset: dataCount - 1, as: UInt8.self)
        }
        self.head = head
        note(strip.index, end..<end + dataCount)
    }

    /// Where the next strip goes. The buffer is for all of the picture's strips, as whichever come here.
    private func room(_ strip: PictureStrip) throws(EncodeError) -> UnsafeMutableRawPointer {
        let picture = strip.picture
        guard picture.width <= 65_500, picture.height <= 65_500 else { throw .tooLarge(picture) }
        let size = PixelSize(width: picture.width, height: PictureStrip.rows)
        let worst = try TurboHandle.worstCase(size, strip.subsampling)
        if let base = buffer.base, end > Self.headRoom { return base + end }
        return try buffer.reserve(Self.headRoom + PictureStrip.count(picture) * worst) + end
    }

    private func note(_ index: Int, _ bytes: Range<Int>) {
        end = bytes.upperBound
        if let last = runs.last, last.first + last.count == index {
            runs[runs.count - 1].count += 1
            runs[runs.count - 1].bytes = last.bytes.lowerBound..<bytes.upperBound
        } else {
            runs.append(Run(first: index, count: 1, bytes: bytes))
        }
    }
}
