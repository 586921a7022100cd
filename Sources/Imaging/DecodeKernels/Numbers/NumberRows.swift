public import Pixels

/// What the bits of a sample are as a number.
public enum NumberForm: Hashable, Sendable {
    /// IEEE 754's with 16 or 32 bits, or DNG's own with 24: one for the sign, seven for the exponent, 16 for the mantissa.
    case float(bits: Int)
    /// Whole, of 32 bits.
    case whole(bits: Int)

    /// Of a sample.
    public var byteCount: Int {
        switch self {
        case .float(let bits), .whole(let bits): bits / 8
        }
    }

    /// Whether there is such a form.
    var exists: Bool {
        switch self {
        case .float(let bits): [16, 24, 32].contains(bits)
        case .whole(let bits): bits == 32
        }
    }
}

/// A floating-point number by its bits, with fewer than a `Float` has. What is no number becomes 0, and so does what is
/// infinitely dark.
private struct FloatBits {
    /// All but the sign.
    let size: UInt32
    let exponent: UInt32
    /// From the size to that of a `Float`.
    let shift: UInt32
    /// From a `Float` with the same exponent to the number: its exponents count from another one. This holds for numbers below
    /// the normal ones, too.
    let bias: Float

    static let half = FloatBits(size: 0x7fff, exponent: 0x7c00, shift: 13, bias: 0x1p112)
    static let three = FloatBits(size: 0x7f_ffff, exponent: 0x7f_0000, shift: 7, bias: 0x1p64)
    static let single = FloatBits(size: 0x7fff_ffff, exponent: 0x7f80_0000, shift: 0, bias: 1)

    @inline(__always) func number(_ bits: UInt32) -> Float {
        let positive = bits & size
        let number = Float(bitPattern: positive &<< shift) * bias
        let signed = bits == positive ? number : -number
        let special: Float = bits == exponent ? .infinity : 0
        return positive >= exponent ? special : signed
    }
}

/// The numbers of a picture that several threads fill, each its own tiles. Valid while the plane lives.
public struct NumberArea: @unchecked Sendable {
    // Sendable: plain memory. Tiles do not overlap, and each is one thread's.
    fileprivate let start: UnsafeMutablePointer<Float>
    fileprivate let strideSamples: Int
    fileprivate let width: Int
    fileprivate let height: Int

    /// All of a plane.
    public init(_ plane: borrowing Plane<Float>) {
        start = plane.row(0)
        strideSamples = plane.strideSamples
        width = plane.width
        height = plane.height
    }
}

extension NumberArea {
    /// Copies the first rows of a tile to a picture.
    ///
    /// - Parameter slice: where. Columns beyond the picture's right edge are left out.
    /// - Returns: false, and nothing is copied, where there are fewer numbers than the slice has, or it is not inside the picture.
    public func store(rows numbers: [Float], to slice: PlaneSlice) -> Bool {
        let edges = 1...1 << 20
        guard edges.contains(slice.width), edges.contains(slice.height), slice.x >= 0, slice.x < width, slice.y >= 0,
            slice.y <= height - slice.height, numbers.count >= slice.width * slice.height
        else { return false }
        let count = min(slice.width, width - slice.x)
        numbers.withUnsafeBufferPointer { numbers in
            for y in 0..<slice.height {
                let target = start + (slice.y + y) * strideSamples + slice.x
                for x in 0..<count {
                    let number = numbers[y * slice.width + x]
                    target[x] = number == number ? number : 0
                }
            }
        }
        return true
    }
}

extension PredictedRows {
    /// Writes the numbers that the restored samples are to a picture.
    ///
    /// - Parameters:
    ///   - form: what the samples are.
    ///   - slice: where. Columns beyond the picture's right edge are left out, and rows beyond the slice.
    ///   - area: the picture.
    /// - Returns: false, and nothing is written, where the slice is not one of such rows, or not inside the picture, or the
    ///   samples are of another size.
    public func write(_ form: NumberForm, to slice: PlaneSlice, of area: NumberArea) -> Bool {
        guard slice.width == rowSamples, (1...rows).contains(slice.height), form.exists, form.byteCount == sampleBytes,
            slice.x >= 0,
            slice.x < area.width, slice.y >= 0, slice.y <= area.height - slice.height, let start = bytes.baseAddress
        else { return false }
        let count = min(rowSamples, area.width - slice.x)
        for y in 0..<slice.height {
            let row = UnsafeRawPointer(start + y * rowSamples * sampleBytes)
            let target = area.start + (slice.y + y) * area.strideSamples + slice.x
            let (bytes, step) = places(row)
            switch form {
            case .float(16): write2(bytes, step, to: target, count) { FloatBits.half.number($0) }
            case .float(24): write3(bytes, step, to: target, count) { FloatBits.three.number($0) }
            case .float: write4(bytes, step, to: target, count) { FloatBits.single.number($0) }
            case .whole: write4(bytes, step, to: target, count) { Float($0) }
            }
        }
        return true
    }

    @inline(__always) private func write2(
        _ bytes: [UnsafePointer<UInt8>], _ step: Int, to target: UnsafeMutablePointer<Float>, _ count: Int,
        _ number: (UInt32) -> Float
    ) {
        let (high, low) = (bytes[0], bytes[1])
        for x in 0..<count { target[x] = number(UInt32(high[x &* step]) &<< 8 | UInt32(low[x &* step])) }
    }

    @inline(__always) private func write3(
        _ bytes: [UnsafePointer<UInt8>], _ step: Int, to target: UnsafeMutablePointer<Float>, _ count: Int,
        _ number: (UInt32) -> Float
    ) {
        let (high, middle, low) = (bytes[0], bytes[1], bytes[2])
        for x in 0..<count {
            let place = x &* step
            target[x] = number(UInt32(high[place]) &<< 16 | UInt32(middle[place]) &<< 8 | UInt32(low[place]))
        }
    }

    @inline(__always) private func write4(
        _ bytes: [UnsafePointer<UInt8>], _ step: Int, to target: UnsafeMutablePointer<Float>, _ count: Int,
        _ number: (UInt32) -> Float
    ) {
        let (first, second, third, fourth) = (bytes[0], bytes[1], bytes[2], bytes[3])
        for x in 0..<count {
            let place = x &* step
            let upper = UInt32(first[place]) &<< 24 | UInt32(second[place]) &<< 16
            target[x] = number(upper | UInt32(third[place]) &<< 8 | UInt32(fourth[place]))
        }
    }
}
