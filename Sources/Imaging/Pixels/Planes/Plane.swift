internal import Concurrency
public import PictureFormat
internal import Memory

/// One owned plane of samples: 64-byte aligned, rows `strideSamples` apart.
///
/// The samples are uninitialised until written. The memory is freed with the value. A plane of odd height has one spare
/// row after the last, because JPEG encoders read the rows of a subsampled picture in pairs.
@safe public struct Plane<Sample: BitwiseCopyable>: ~Copyable {
    /// Samples in a row.
    public let width: Int
    /// Rows, without the spare one.
    public let height: Int
    /// Distance from one row to the next, in samples; at least `width`.
    public let strideSamples: Int
    /// All rows, `strideSamples * height` samples. Valid while the plane lives.
    public let samples: UnsafeMutableBufferPointer<Sample>
    private let memory: MemoryBlock

    /// - Parameters:
    ///   - width: samples in a row, at least 1.
    ///   - height: rows, at least 1.
    ///   - padding: additional readable samples after each row, for kernels that load whole vectors.
    ///   - threads: number of threads that touch the pages of fresh memory.
    public init(width: Int, height: Int, padding: Int = 0, threads: Int = 1) {
        precondition(width > 0 && height > 0 && padding >= 0, "a plane has at least one sample")
        let alignment = 64
        let size = MemoryLayout<Sample>.stride
        let strideBytes = ((width + padding) * size + alignment - 1) / alignment * alignment
        self.width = width
        self.height = height
        strideSamples = strideBytes / size
        let rows = height + height % 2
        memory = MemoryBlock(byteCount: strideBytes * rows, populatesLater: true)
        if let fresh = memory.fresh { Parallel.forEach(threads) { fresh.populate(share: $0, of: threads) } }
        let all = unsafe memory.bytes.bindMemory(to: Sample.self)
        unsafe samples = unsafe UnsafeMutableBufferPointer(rebasing: all[..<(strideSamples * height)])
    }

    /// Width and height, in samples.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// The first sample of a row. The pointer is valid while the plane lives.
    public func row(_ y: Int) -> UnsafeMutablePointer<Sample> {
        precondition(y >= 0 && y < height, "row out of the plane")
        // A plane has at least one sample, so the buffer is never empty.
        return unsafe samples.baseAddress.unsafelyUnwrapped + y * strideSamples
    }
}

/// `@unchecked`: the memory has one owner, and only the value's holder accesses it, on any thread. Stages that share a
/// plane among threads write disjoint rows.
extension Plane: @unchecked Sendable {}
