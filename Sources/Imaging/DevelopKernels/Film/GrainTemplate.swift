import Pixels

/// A square of Gaussian noise with deviation 1 and the correlation of grains of one size.
///
/// A picture's grain consists of blocks from random places of the template (after A. Norkin and N. Birkbeck, 2018,
/// "Film grain synthesis for AV1 video codec"). It costs one load and a few products per pixel, and never repeats.
///
/// `@unchecked Sendable`: the memory is written only in `init`, and freed with the template.
package final class GrainTemplate: @unchecked Sendable {
    /// Samples along an edge.
    static let edge = 512
    /// Samples along a block's edges.
    static let block = (width: 128, height: 32)
    /// Sample value of one deviation.
    static let unit: Float = 28
    /// Filter taps on each side. Grains extend farther only if pixels are smaller than 1/3 of a grain.
    private static let reach = 8

    /// Row by row, first even samples, then odd ones.
    let samples: UnsafeMutablePointer<Int8>
    /// Deviation after the filter, relative to white noise.
    package let gain: Double

    /// The deviation is that of a grain's Gaussian, in pixels; at most 4.
    package init(deviation: Double) {
        let taps = Self.taps(min(max(deviation, 0), 4))
        gain = taps.reduce(0) { $0 + Double($1 * $1) }
        let edge = Self.edge
        let padded = edge + 2 * Self.reach
        var white = [Float](repeating: 0, count: padded * padded)
        var state: UInt64 = 0x5261_776D_696C_6C31
        for index in white.indices {
            // The sum of twelve even numbers is nearly Gaussian with deviation 1.
            var sum: UInt64 = 0
            for _ in 0..<3 {
                let bits = Self.next(&state)
                sum += (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
            }
            white[index] = Float(sum) / 65_535 - 6
        }
        var rows = [Float](repeating: 0, count: padded * edge)
        for y in 0..<padded {
            for x in 0..<edge {
                var sum: Float = 0
                for (tap, weight) in taps.enumerated() { sum += weight * white[y * padded + x + tap] }
                rows[y * edge + x] = sum
            }
        }
        samples = .allocate(capacity: edge * edge)
        let scale = Self.unit / Float(gain)
        for y in 0..<edge {
            for x in 0..<edge {
                var sum: Float = 0
                for (tap, weight) in taps.enumerated() { sum += weight * rows[(y + tap) * edge + x] }
                let value = (sum * scale).rounded()
                let bounded = value < -127 ? -127 : (value > 127 ? 127 : value)
                samples[y * edge + (x & 1) * (edge / 2) + x >> 1] = Int8(bounded)
            }
        }
    }

    deinit { samples.deallocate() }

    /// A Gaussian's weights, whose sum is 1.
    private static func taps(_ deviation: Double) -> [Float] {
        let places = -reach...reach
        if deviation < 0.1 { return places.map { $0 == 0 ? 1 : 0 } }
        // A Gaussian as a product of equal factors: exp(−x²/2σ²) without the exponential function, whose bits vary.
        let root = Self.exponential(-0.5 / (deviation * deviation))
        var weights: [Double] = []
        for place in places {
            var weight = 1.0
            for _ in 0..<place * place { weight *= root }
            weights.append(weight)
        }
        let sum = weights.reduce(0, +)
        return weights.map { Float($0 / sum) }
    }

    /// e to a power from −50 to 0, by series and squaring.
    private static func exponential(_ x: Double) -> Double {
        let small = x / 64
        var sum = 1.0
        var k = 12.0
        while k >= 1 {
            sum = 1 + sum * small / k
            k -= 1
        }
        for _ in 0..<6 { sum *= sum }
        return sum
    }

    /// SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, 2014, "Fast splittable pseudorandom number generators").
    @inline(__always)
    static func next(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return mixed(state)
    }

    @inline(__always)
    static func mixed(_ state: UInt64) -> UInt64 {
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
