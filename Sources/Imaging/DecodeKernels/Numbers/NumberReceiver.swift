public import Pixels
internal import Synchronization

/// A picture that takes numbers from several threads, each of which brings its own tiles.
public protocol NumberReceiver: Sendable {
    /// Numbers of a row, and rows.
    var size: (width: Int, height: Int) { get }
    /// Whether it is of no use to bring more.
    var isRefusing: Bool { get }

    /// Takes numbers of a row, from a column on; all of them are inside the picture.
    func take(_ numbers: UnsafePointer<Float>, count: Int, x: Int, y: Int)
}

extension NumberReceiver {
    /// Takes the first rows of a tile.
    ///
    /// - Parameter slice: where. Columns beyond the picture's right edge are left out.
    /// - Returns: false, and nothing is taken, where there are fewer numbers than the slice has, or it is not inside the picture.
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

/// The numbers themselves; 0 for what is none. Valid while the plane lives.
public struct NumberArea: NumberReceiver, @unchecked Sendable {
    // Sendable: plain memory. Tiles do not overlap, and each is one thread's.
    private let start: UnsafeMutablePointer<Float>
    private let strideSamples: Int
    /// Numbers of a row, and rows.
    public let size: (width: Int, height: Int)
    /// Never.
    public var isRefusing: Bool { false }

    /// All of a plane.
    public init(_ plane: borrowing Plane<Float>) {
        start = plane.row(0)
        strideSamples = plane.strideSamples
        size = (plane.width, plane.height)
    }

    /// Copies them.
    public func take(_ numbers: UnsafePointer<Float>, count: Int, x: Int, y: Int) {
        let target = start + y * strideSamples + x
        for x in 0..<count { target[x] = numbers[x] == numbers[x] ? numbers[x] : 0 }
    }
}

/// Samples of 16 bits, for whose scale no number may be beyond a limit. Valid while the plane lives.
public final class ScaledArea: NumberReceiver, @unchecked Sendable {
    // Sendable: plain memory. Tiles do not overlap, and each is one thread's.
    private let start: UnsafeMutablePointer<UInt16>
    private let strideSamples: Int
    /// Numbers of a row, and rows.
    public let size: (width: Int, height: Int)
    private let scale: NumberScale
    private let limit: Float
    private let isExceeded = Atomic(false)

    /// All of a plane.
    ///
    /// - Parameter limit: the largest finite number that may be taken.
    public init(_ plane: borrowing Plane<UInt16>, scale: NumberScale, limit: Float) {
        start = plane.row(0)
        strideSamples = plane.strideSamples
        size = (plane.width, plane.height)
        self.scale = scale
        self.limit = limit
    }

    /// Whether a number was beyond the limit.
    public var isRefusing: Bool { isExceeded.load(ordering: .relaxed) }

    /// Makes samples of them, and refuses more if one is beyond the limit.
    public func take(_ numbers: UnsafePointer<Float>, count: Int, x: Int, y: Int) {
        // Without a branch, the loop becomes vectors.
        var beyond: UInt32 = 0
        for x in 0..<count { beyond |= (numbers[x] > limit ? 1 : 0) & (numbers[x] < .infinity ? 1 : 0) }
        if beyond > 0 { isExceeded.store(true, ordering: .relaxed) }
        scale.write(numbers, count: count, x: x, y: y, to: start + y * strideSamples + x)
    }
}
