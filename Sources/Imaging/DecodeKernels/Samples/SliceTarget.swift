internal import PixelKernels
public import Pixels

/// A part of a plane that samples fill row by row, in samples and rows.
public struct PlaneSlice: Hashable, Sendable {
    /// The first column.
    public let x: Int
    /// The first row.
    public let y: Int
    /// Columns as stored. Those beyond the plane's right edge are left out.
    public let width: Int
    /// Rows, all of them inside the plane.
    public let height: Int

    /// Any numbers may be given: `SliceTarget` judges them.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    var sampleCount: Int { width * height }
}

/// The samples of a plane that several threads fill, each its own slices. Valid while the plane lives.
public struct SampleArea: @unchecked Sendable {
    // Sendable: plain memory. Slices of different targets do not overlap, and each target is one thread's.
    fileprivate let start: UnsafeMutablePointer<UInt16>
    fileprivate let strideSamples: Int
    fileprivate let width: Int
    fileprivate let height: Int

    /// All of a plane.
    public init(_ plane: borrowing Plane<UInt16>) {
        start = plane.row(0)
        strideSamples = plane.strideSamples
        width = plane.width
        height = plane.height
    }
}

/// Where the samples of one strip or tile go: slices of a plane, which they fill one after another.
public struct SliceTarget {
    /// Samples of the largest picture that is decoded.
    static let maxSamples = 1 << 29

    let slices: [PlaneSlice]
    /// Samples that fill all slices, those beyond the plane's edge included.
    public let sampleCount: Int
    private let area: SampleArea

    /// Proves that all slices begin inside the plane and that all their rows do.
    public init?(_ slices: [PlaneSlice], in area: SampleArea) {
        // Far beyond any sensor, and far below where a product overflows.
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

    /// Copies `count` samples to their positions. The first one is number `first` of the strip or tile, whose rows need
    /// not be those of the plane. Samples beyond the last slice are left out.
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

    /// Copies the first rows of a tile to their positions.
    ///
    /// - Returns: false, and nothing is copied, where there are fewer samples than the slices have.
    public func store(rows samples: [UInt16]) -> Bool {
        guard samples.count >= sampleCount else { return false }
        samples.withUnsafeBufferPointer { samples in
            if let start = samples.baseAddress { store(start, count: sampleCount, from: 0) }
        }
        return true
    }

    /// How many of `count` samples from column `x` on lie inside the plane.
    func visibleCount(_ count: Int, x: Int) -> Int { max(0, min(count, area.width - x)) }

    /// The first sample of a row of the plane.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { area.start + y * area.strideSamples }
}
