@testable import Samples

/// Damages code streams: flips a bit, and sometimes removes the end.
struct StreamDamage {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func damaged(_ stream: [UInt8]) -> [UInt8] {
        var damaged = stream
        // Near the end, a wrong sum often stays in range.
        let reach = random.next() % 2 == 0 ? damaged.count : 60
        let place = damaged.count - 1 - Int(random.next() % UInt64(reach))
        damaged[place] ^= UInt8(1 << (random.next() % 8))
        if random.next() % 8 == 0 { damaged.removeLast(Int(1 + random.next() % 3)) }
        return damaged
    }
}
