/// Number format of a sample.
public enum NumberForm: Hashable, Sendable {
    /// IEEE 754 with 16 or 32 bits, or DNG's 24-bit format: one sign bit, seven exponent bits, 16 mantissa bits.
    case float(bits: Int)
    /// A 32-bit integer.
    case whole(bits: Int)

    /// Bytes per sample.
    public var byteCount: Int {
        switch self {
        case .float(let bits), .whole(let bits): bits / 8
        }
    }

    var exists: Bool {
        switch self {
        case .float(let bits): [16, 24, 32].contains(bits)
        case .whole(let bits): bits == 32
        }
    }
}

/// A floating-point format narrower than `Float`. NaN and negative infinity become 0.
private struct FloatBits {
    /// Mask of exponent and mantissa.
    let size: UInt32
    let exponent: UInt32
    /// Shift to the position in a `Float`.
    let shift: UInt32
    /// Factor that corrects the exponent's bias, also for subnormal numbers.
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

extension PredictedRows {
    /// Writes the restored samples to a picture as numbers.
    ///
    /// - Parameters:
    ///   - form: format of the samples.
    ///   - slice: place in the picture; columns beyond the right edge and rows beyond the slice are omitted.
    ///   - picture: the destination.
    /// - Returns: false, without effect, if the slice does not match the rows or the picture, or the samples have
    ///   another size.
    public func write(_ form: NumberForm, to slice: PlaneSlice, of picture: any NumberReceiver) -> Bool {
        let size = picture.size
        guard slice.width == rowSamples, (1...rows).contains(slice.height), form.exists, form.byteCount == sampleBytes,
            slice.x >= 0,
            slice.x < size.width, slice.y >= 0, slice.y <= size.height - slice.height, let start = bytes.baseAddress
        else { return false }
        let count = min(rowSamples, size.width - slice.x)
        // This many stay in the first-level cache.
        let most = 1024
        withUnsafeTemporaryAllocation(of: Float.self, capacity: most) { numbers in
            // The allocation is not empty.
            let piece = numbers.baseAddress.unsafelyUnwrapped
            for y in 0..<slice.height {
                let row = places(UnsafeRawPointer(start + y * rowSamples * sampleBytes))
                for x in stride(from: 0, to: count, by: most) {
                    let length = min(most, count - x)
                    switch form {
                    case .float(16): write2(row, x, to: piece, length) { FloatBits.half.number($0) }
                    case .float(24): write3(row, x, to: piece, length) { FloatBits.three.number($0) }
                    case .float: write4(row, x, to: piece, length) { FloatBits.single.number($0) }
                    case .whole: write4(row, x, to: piece, length) { Float($0) }
                    }
                    picture.take(piece, count: length, x: slice.x + x, y: slice.y + y)
                }
            }
        }
        return true
    }

    @inline(__always) private func write2(
        _ row: BytePlaces, _ first: Int, to target: UnsafeMutablePointer<Float>, _ count: Int,
        _ number: (UInt32) -> Float
    ) {
        let (high, low, step) = (row[0, first], row[1, first], row.step)
        for x in 0..<count { target[x] = number(UInt32(high[x &* step]) &<< 8 | UInt32(low[x &* step])) }
    }

    @inline(__always) private func write3(
        _ row: BytePlaces, _ first: Int, to target: UnsafeMutablePointer<Float>, _ count: Int,
        _ number: (UInt32) -> Float
    ) {
        let (high, middle, low, step) = (row[0, first], row[1, first], row[2, first], row.step)
        for x in 0..<count {
            let place = x &* step
            target[x] = number(UInt32(high[place]) &<< 16 | UInt32(middle[place]) &<< 8 | UInt32(low[place]))
        }
    }

    @inline(__always) private func write4(
        _ row: BytePlaces, _ first: Int, to target: UnsafeMutablePointer<Float>, _ count: Int,
        _ number: (UInt32) -> Float
    ) {
        let (highest, second) = (row[0, first], row[1, first])
        let (third, lowest, step) = (row[2, first], row[3, first], row.step)
        for x in 0..<count {
            let place = x &* step
            let upper = UInt32(highest[place]) &<< 24 | UInt32(second[place]) &<< 16
            target[x] = number(upper | UInt32(third[place]) &<< 8 | UInt32(lowest[place]))
        }
    }
}
