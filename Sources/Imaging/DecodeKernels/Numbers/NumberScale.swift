internal import Concurrency
public import Pixels

/// Scales numbers of any size to 16-bit samples.
///
/// A merge of exposures has finer shadows than 16 bits can hold, so numbers between two samples are dithered: they
/// become either sample, more often the nearer one. Steps become noise of half a step, and the mean is preserved. The
/// random value is a hash of the sample's position (after the finalizer of A. Appleby's MurmurHash3), which makes a
/// photo's bytes reproducible. Whole numbers are kept.
public struct NumberScale: Sendable {
    /// Samples per unit; positive.
    private let factor: Float

    /// Nil unless the factor is positive and finite.
    public init?(factor: Float) {
        guard factor.isFinite, factor > 0 else { return nil }
        self.factor = factor
    }

    /// Largest finite number of a picture; 0 if no number is positive.
    public static func largest(in plane: borrowing Plane<Float>, threads: Int) -> Float {
        let (start, width, height, stride) = (plane.row(0), plane.width, plane.height, plane.strideSamples)
        let shares = max(1, min(threads, height))
        nonisolated(unsafe) let found = UnsafeMutableBufferPointer<Float>.allocate(capacity: shares)
        defer { found.deallocate() }
        nonisolated(unsafe) let rows = start
        Parallel.forEach(shares) { share in
            var largest = SIMD16<Float>.zero
            for y in height * share / shares..<height * (share + 1) / shares {
                let row = rows + y * stride
                for x in Swift.stride(from: 0, to: width & ~15, by: 16) {
                    let numbers = UnsafeRawPointer(row + x).loadUnaligned(as: SIMD16<Float>.self)
                    largest.replace(with: numbers, where: numbers .> largest .& numbers .< .infinity)
                }
                for x in width & ~15..<width where row[x] > largest[0] && row[x] < .infinity { largest[0] = row[x] }
            }
            found[share] = largest.max()
        }
        return found.max() ?? 0
    }

    /// Scales all numbers. Negative numbers and NaN become 0; numbers beyond the range become the largest sample.
    public func samples(of plane: borrowing Plane<Float>, threads: Int) -> Plane<UInt16> {
        let samples = Plane<UInt16>(width: plane.width, height: plane.height, threads: max(threads, 1))
        let (width, height) = (plane.width, plane.height)
        let (stride, sampleStride) = (plane.strideSamples, samples.strideSamples)
        let shares = max(1, min(threads, height))
        nonisolated(unsafe) let source = plane.row(0)
        nonisolated(unsafe) let target = samples.row(0)
        Parallel.forEach(shares) { share in
            for y in height * share / shares..<height * (share + 1) / shares {
                write(source + y * stride, count: width, x: 0, y: y, to: target + y * sampleStride)
            }
        }
        return samples
    }

    /// Scales numbers of row `y` from column `x` on.
    func write(_ numbers: UnsafePointer<Float>, count: Int, x first: Int, y: Int, to out: UnsafeMutablePointer<UInt16>)
    {
        let seed = UInt32(truncatingIfNeeded: y) &* 0x9e37_79b9 &+ UInt32(truncatingIfNeeded: first)
        for x in 0..<count {
            var mix = (UInt32(truncatingIfNeeded: x) &+ seed) &* 0x85eb_ca6b
            mix = (mix ^ mix &>> 13) &* 0xc2b2_ae35
            mix ^= mix &>> 16
            // Steps that are exact for a number of 65,535.
            let chance = Float(Int32(truncatingIfNeeded: mix &>> 24)) * 0x1p-8
            // The comparison is false for NaN.
            let scaled = numbers[x] * factor
            let bounded = scaled > 0 ? min(scaled, 65_535) : 0
            out[x] = UInt16(truncatingIfNeeded: Int32(bounded + chance))
        }
    }
}
