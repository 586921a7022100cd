/// 65,536 draws from a normal distribution with mean 0 and deviation 1, as sums of twelve uniform numbers (J. O. Irwin
/// and P. Hall, 1927). Unlike logarithms and cosines, sums are exact on every machine.
struct NormalTable: Sendable {
    let values: [Float]

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        values = (0..<65_536).map { _ in
            var sum = 0
            for _ in 0..<3 {
                let bits = random.next()
                for part in 0..<4 { sum += Int(bits >> (16 * UInt64(part)) & 0xffff) }
            }
            return Float(sum - 6 * 65_535) * (1 / 65_536)
        }
    }
}
