public import Pixels
internal import Synchronization

/// A picture that receives different tiles of numbers from several threads.
public protocol NumberReceiver: Sendable {
    /// Columns and rows.
    var size: (width: Int, height: Int) { get }
    /// Whether further numbers are ignored.
    var isRefusing: Bool { get }

    /// Receives numbers of row `y` from column `x` on, all inside the picture.
    func take(_ numbers: UnsafePointer<Float>, count: Int, x: Int, y: Int)
}

extension NumberReceiver {
    /// Receives the first rows of a tile.
    ///
    /// - Parameter slice: the tile's place; columns beyond the picture's right edge are omitted.
    /// - Returns: false, without effect, if there are too few numbers or the slice is outside the picture.
    public func take(rows numbers: [Float], to slice: PlaneSlice) -> Bool {
        let (edges, size) = (1...1 << 20, size)
        guard edges.contains(slice.width), edges.contains(slice.height), slice.x >= 0, slice.x < size.width,
            slice.y >= 0, slice.y <= size.height - slice.height, numbers.count >= slice.width * slice.height
        else { return false }
        let count = min(slice.width, size.width - slice.x)
        numbers.withUnsafeBufferPointer { numbers in
            guard let start = numbers.baseAddress else { return }
            for y in 0..<slice.height {
                take(start + y * slice.width, count: count, x: slice.x, y: slice.y + y)
            }
        }
        return true
    }
}

/// A plane of numbers, where NaN becomes 0. Valid while the plane lives.
public struct NumberArea: NumberReceiver, @unchecked Sendable {
    // Sendable: plain memory. Tiles do not overlap, and each belongs to one thread.
    private let start: UnsafeMutablePointer<Float>
    private let strideSamples: Int
    /// Columns and rows.
    public let size: (width: Int, height: Int)
    /// Always false.
    public var isRefusing: Bool { false }

    /// Covers all of a plane.
    public init(_ plane: borrowing Plane<Float>) {
        start = plane.row(0)
        strideSamples = plane.strideSamples
        size = (plane.width, plane.height)
    }

    /// Copies numbers into the plane.
    public func take(_ numbers: UnsafePointer<Float>, count: Int, x: Int, y: Int) {
        let target = start + y * strideSamples + x
        for x in 0..<count { target[x] = numbers[x] == numbers[x] ? numbers[x] : 0 }
    }
}

/// A plane of 16-bit samples, scaled from numbers up to a limit. Valid while the plane lives.
public final class ScaledArea: NumberReceiver, @unchecked Sendable {
    // Sendable: plain memory. Tiles do not overlap, and each belongs to one thread.
    private let start: UnsafeMutablePointer<UInt16>
    private let strideSamples: Int
    /// Columns and rows.
    public let size: (width: Int, height: Int)
    private let scale: NumberScale
    private let limit: Float
    private let isExceeded = Atomic(false)

    /// Covers all of a plane.
    ///
    /// - Parameter limit: largest allowed finite number.
    public init(_ plane: borrowing Plane<UInt16>, scale: NumberScale, limit: Float) {
        start = plane.row(0)
        strideSamples = plane.strideSamples
        size = (plane.width, plane.height)
        self.scale = scale
        self.limit = limit
    }

    /// Whether a number exceeded the limit.
    public var isRefusing: Bool { isExceeded.load(ordering: .relaxed) }

    /// Scales numbers to samples. After a number above the limit, the picture refuses more.
    public func take(_ numbers: UnsafePointer<Float>, count: Int, x: Int, y: Int) {
        // Without a branch, the loop vectorises.
        var beyond: UInt32 = 0
        for x in 0..<count { beyond |= (numbers[x] > limit ? 1 : 0) & (numbers[x] < .infinity ? 1 : 0) }
        if beyond > 0 { isExceeded.store(true, ordering: .relaxed) }
        scale.write(numbers, count: count, x: x, y: y, to: start + y * strideSamples + x)
    }
}
