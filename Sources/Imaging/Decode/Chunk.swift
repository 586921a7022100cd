import PictureFormat
import Pixels
import Synchronization

/// One strip or tile: its bytes, and where its samples go in the plane.
struct Chunk {
    let bytes: UnsafeRawBufferPointer
    let area: SampleArea
    let slices: [Slice]

    init(_ run: StoredSamples.Run, of file: UnsafeRawBufferPointer, in area: SampleArea) {
        bytes = UnsafeRawBufferPointer(rebasing: file[run.bytes])
        self.area = area
        slices = run.slices
    }

    var sampleCount: Int { slices.reduce(0) { $0 + $1.sampleCount } }

    /// Puts `count` samples where they belong, of which the first is the chunk's sample number `first`. The rows of a
    /// JPEG need not be those of the plane.
    func put(_ samples: UnsafePointer<UInt16>, _ count: Int, from first: Int) {
        let end = first + count
        var place = first
        var start = 0
        for slice in slices {
            while place < min(end, start + slice.sampleCount) {
                let (y, x) = (place - start).quotientAndRemainder(dividingBy: slice.width)
                let length = min(slice.width - x, end - place)
                let target = area.row(slice.y + y) + slice.x + x
                StreamingStores.copy(
                    samples + (place - first), to: target,
                    byteCount: visible(length, slice.x + x) * MemoryLayout<UInt16>.stride)
                place += length
            }
            start += slice.sampleCount
        }
    }

    /// How many of so many samples from `x` on lie inside the plane.
    func visible(_ count: Int, _ x: Int) -> Int { max(0, min(count, area.width - x)) }
}

/// A plane's samples, for several threads that each write chunks of their own. Valid while the plane lives.
struct SampleArea: @unchecked Sendable {
    // Sendable: no two chunks share a sample, and each is one thread's.
    let first: UnsafeMutablePointer<UInt16>
    let strideSamples: Int
    let width: Int

    func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { first + y * strideSamples }

    init(_ plane: borrowing Plane<UInt16>) {
        first = plane.row(0)
        strideSamples = plane.strideSamples
        width = plane.width
    }
}

/// Why a chunk could not be unpacked.
enum ChunkEnd {
    case damaged(DecodeError)
    /// Left to LibRaw.
    case unfamiliar
}

/// Hands chunks out to several threads, some at a time, and collects what they met; the first chunk's end counts,
/// whichever thread was faster.
final class ChunkQueue: Sendable {
    private let count: Int
    private let handedOut = Atomic(0)
    private let met = Mutex<(index: Int, end: ChunkEnd)?>(nil)

    init(count: Int) { self.count = count }

    /// Nil when all are handed out.
    func next(_ most: Int) -> Range<Int>? {
        let first = handedOut.add(most, ordering: .relaxed).oldValue
        return first < count ? first..<min(first + most, count) : nil
    }

    var firstEnd: ChunkEnd? { met.withLock { $0?.end } }

    func note(_ end: ChunkEnd, at index: Int) {
        met.withLock { if $0.map({ index < $0.index }) ?? true { $0 = (index, end) } }
    }
}
