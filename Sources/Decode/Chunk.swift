import Pixels
import Synchronization

/// One strip or tile: its bytes, and where its samples go in the plane.
struct Chunk {
    let bytes: UnsafeRawBufferPointer
    let area: SampleArea
    /// In samples and rows.
    let x: Int
    let y: Int
    /// Rows inside the plane.
    let height: Int

    func row(_ index: Int) -> UnsafeMutablePointer<UInt16> { area.first + (y + index) * area.strideSamples + x }

    /// Samples of a row that lie inside the plane, of as many in the chunk.
    func visible(of count: Int) -> Int { min(count, area.width - x) }
}

/// A plane's samples, for several threads that each write chunks of their own. Valid while the plane lives.
struct SampleArea: @unchecked Sendable {
    // Sendable: no two chunks share a sample, and each is one thread's.
    let first: UnsafeMutablePointer<UInt16>
    let strideSamples: Int
    let width: Int

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

/// Collects what several threads met; the first chunk's end counts, whichever thread was faster.
final class ChunkEnds: Sendable {
    private let met = Mutex<(index: Int, end: ChunkEnd)?>(nil)

    var first: ChunkEnd? { met.withLock { $0?.end } }

    func note(_ end: ChunkEnd, at index: Int) {
        met.withLock { if $0.map({ index < $0.index }) ?? true { $0 = (index, end) } }
    }
}
