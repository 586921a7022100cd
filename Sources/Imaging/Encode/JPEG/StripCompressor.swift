import PictureFormat
import Pixels

/// One thread's compressor. It collects the entropy-coded data of its strips in one buffer.
final class StripCompressor {
    /// Consecutive strips of the picture that are contiguous in the buffer, each with its end marker.
    struct Run {
        let first: Int
        var count: Int
        var bytes: Range<Int>
    }

    /// Bytes before the first strip, reserved for the largest possible head.
    static let headCapacity = 3 << 16

    private var buffer = OutputBuffer()
    private let chroma = HalvedChroma()
    private let coder = PlaneCoder()
    private var end = StripCompressor.headCapacity
    private(set) var runs: [Run] = []
    private(set) var head: JPEGHead?

    func begin() {
        runs = []
        head = nil
        end = Self.headCapacity
    }

    /// Nil before the first strip.
    var base: UnsafeMutableRawPointer? { unsafe buffer.base }

    func compress(_ strip: YCbCrStrip, _ coding: JPEGCoding) throws(EncodeError) {
        let isHalved = coding.halves(strip.subsampling)
        let planes = isHalved ? JPEGPlanes(halving: strip, in: chroma) : JPEGPlanes(strip)
        let room = try unsafe reserve(strip, planes.subsampling)
        let (head, byteCount) = try unsafe coder.code(planes, quality: coding.quality, into: room)
        // A restart marker replaces the strip's end marker (EOI): after it a decoder has the same state as at the start
        // of a picture. The last strip keeps its EOI.
        if !strip.isLast { unsafe room[byteCount - 1] = 0xD0 + UInt8(strip.index & 7) }
        self.head = head
        record(strip.index, end..<end + byteCount)
    }

    /// Returns at least the worst case's bytes for the next strip. The capacity suffices for all strips of the picture,
    /// because any of them may come to this compressor.
    private func reserve(
        _ strip: YCbCrStrip, _ subsampling: JPEGSubsampling
    ) throws(EncodeError) -> UnsafeMutableRawBufferPointer {
        let picture = strip.picture
        guard picture.width <= 65_500, picture.height <= 65_500 else { throw .tooLarge(picture) }
        if end == Self.headCapacity {
            let size = PixelSize(width: picture.width, height: PictureStrip.rows)
            let worst = try TurboHandle.worstCase(size, subsampling)
            _ = try unsafe buffer.reserve(Self.headCapacity + PictureStrip.count(picture) * worst + PlaneCoder.slack)
        }
        return unsafe UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(start: buffer.base, count: buffer.capacity)[end...])
    }

    private func record(_ index: Int, _ bytes: Range<Int>) {
        end = bytes.upperBound
        if let last = runs.last, last.first + last.count == index {
            runs[runs.count - 1].count += 1
            runs[runs.count - 1].bytes = last.bytes.lowerBound..<bytes.upperBound
        } else {
            runs.append(Run(first: index, count: 1, bytes: bytes))
        }
    }
}
