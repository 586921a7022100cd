internal import PixelKernels
public import Pixels

/// A part of a plane, in samples and rows, that is filled row by row.
public struct PlaneSlice: Hashable, Sendable {
    /// First column.
    public let x: Int
    /// First row.
    public let y: Int
    /// Stored columns; those beyond the plane's right edge are omitted.
    public let width: Int
    /// Rows, all inside the plane.
    public let height: Int

    /// Unchecked; `SliceTarget` checks.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    var sampleCount: Int { width * height }
}

/// Samples of a plane that several threads fill with different slices. Valid while the plane lives.
public struct SampleArea: @unchecked Sendable {
    // Sendable: plain memory. Slices of different targets do not overlap, and each target belongs to one thread.
    fileprivate let start: UnsafeMutablePointer<UInt16>
    fileprivate let strideSamples: Int
    fileprivate let width: Int
    fileprivate let height: Int

    /// Covers all of a plane.
    public init(_ plane: borrowing Plane<UInt16>) {
        start = plane.row(0)
        strideSamples = plane.strideSamples
        width = plane.width
        height = plane.height
    }
}

/// Destination of one strip or tile: slices of a plane, filled one after another.
public struct SliceTarget {
    /// Samples of the largest supported picture.
    static let maxSamples = 1 << 29

    let slices: [PlaneSlice]
    /// Samples of all slices, including those beyond the plane's edge.
    public let sampleCount: Int
    private let area: SampleArea

    /// Proves that all slices begin inside the plane and that all their rows lie inside it.
    public init?(_ slices: [PlaneSlice], in area: SampleArea) {
        // Far above any sensor, and far below an overflow of products.
        let edges = 1...1 << 20
        var count = 0
        for slice in slices {
            guard edges.contains(slice.width), edges.contains(slice.height), slice.x >= 0, slice.x < area.width,
                slice.y >= 0, slice.y <= area.height - slice.height
            else { return nil }
            count += slice.sampleCount
            guard count <= Self.maxSamples else { return nil }
        }
        self.slices = slices
        self.area = area
        sampleCount = count
    }

    /// Copies `count` samples to their positions. The first has index `first` in the strip or tile, whose rows may
    /// differ from the plane's. Samples after the last slice are omitted.
    func store(_ samples: UnsafePointer<UInt16>, count: Int, from first: Int) {
        let end = first + count
        var next = first
        var start = 0
        for slice in slices {
            while next < min(end, start + slice.sampleCount) {
                let (y, x) = (next - start).quotientAndRemainder(dividingBy: slice.width)
                let length = min(slice.width - x, end - next)
                StreamingStores.copy(
                    samples + (next - first), to: row(slice.y + y) + slice.x + x,
                    byteCount: visibleCount(length, x: slice.x + x) * MemoryLayout<UInt16>.stride)
                next += length
            }
            start += slice.sampleCount
        }
    }

    /// Copies the first rows of a tile; false, without effect, if there are fewer samples than the slices have.
    public func store(rows samples: [UInt16]) -> Bool {
        guard samples.count >= sampleCount else { return false }
        samples.withUnsafeBufferPointer { samples in
            if let start = samples.baseAddress { store(start, count: sampleCount, from: 0) }
        }
        return true
    }

    /// Samples from column `x` on that lie inside the plane, at most `count`.
    func visibleCount(_ count: Int, x: Int) -> Int { max(0, min(count, area.width - x)) }

    /// First sample of a row of the plane.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { area.start + y * area.strideSamples }
}
