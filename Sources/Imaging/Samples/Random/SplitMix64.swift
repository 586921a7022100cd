/// Random numbers that are reproducible on every machine (G. Steele, D. Lea, C. Flood, 2014, "Fast splittable
/// pseudorandom number generators").
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// - Parameter seed: the same seed gives the same numbers.
    public init(seed: UInt64) { state = seed }

    /// 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return mixed(state)
    }

    /// A random number of the range.
    public mutating func float(in range: Range<Float>) -> Float {
        range.lowerBound + Float(next() >> 40) * (1 / 16_777_216) * (range.upperBound - range.lowerBound)
    }
}

/// SplitMix64's finaliser: every bit of the input changes half of the output.
func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
}
