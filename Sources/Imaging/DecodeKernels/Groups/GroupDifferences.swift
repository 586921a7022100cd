/// Fourteen 12-bit samples in Panasonic's format 4 (dcraw, D. Coffin, `panasonic_load_raw`).
///
/// Bits are read from the highest. Even and odd samples form two sequences. Each starts with eight bits; once these are
/// not 0, or at the end, four more follow. Every later sample has eight bits: its distance from a base 128 steps below
/// the previous sample, or 0 to repeat it. Two bits before every third sample give the step: 1, 2, 4 or 16. A group
/// always takes 128 bits, wherever its sequences start.
enum GroupDifferences {
    /// Greatest valid sample.
    static let limit: UInt16 = 4098

    private static let count = 14

    /// Unpacks sixteen usual groups: both sequences start at once, so all bits have fixed places. Returns whether all
    /// samples are in range; nil if a group is unusual.
    @inline(__always)
    static func unpack(_ groups: GroupLanes, to samples: UnsafeMutablePointer<GroupLanes.Numbers>) -> Bool? {
        var (even, odd) = (groups.bits(0, 12), groups.bits(12, 12))
        // The first eight bits of each sequence must not be 0.
        guard pointwiseMin(even, odd).min() >= 16 else { return nil }
        samples[0] = even
        samples[1] = odd
        var greatest = pointwiseMax(even, odd)
        for third in 0..<4 {
            let place = 24 &+ 26 &* third
            let stated = groups.bits(place, 2)
            let step = stated &+ (stated &+ GroupLanes.Numbers(1)) &>> GroupLanes.Numbers(2)
            for index in 0..<3 {
                let sample = 2 &+ 3 &* third &+ index
                let above = groups.bits(place &+ 2 &+ 8 &* index, 8)
                if sample & 1 == 0 {
                    even = next(even, above, step)
                    samples[sample] = even
                    greatest = pointwiseMax(greatest, even)
                } else {
                    odd = next(odd, above, step)
                    samples[sample] = odd
                    greatest = pointwiseMax(greatest, odd)
                }
            }
        }
        return greatest.max() <= Int32(limit)
    }

    @inline(__always)
    private static func next(
        _ before: GroupLanes.Numbers, _ above: GroupLanes.Numbers, _ step: GroupLanes.Numbers
    ) -> GroupLanes.Numbers {
        let one = GroupLanes.Numbers(1)
        let base = before &- GroupLanes.Numbers(0x80) &<< step
        // For a negative base or step 16, keeps only the base's bits below a step.
        let isLow = base.sign | (GroupLanes.Numbers(3) &- step).sign
        let kept = base & (one &<< step &- one | ~isLow)
        let next = kept &+ above &<< step
        return .select((.zero &- above).sign, next, before)
    }

    private static func next(_ before: Int32, _ above: UInt64, _ step: Int32) -> Int32 {
        guard above != 0 else { return before }
        let base = before &- 0x80 &<< step
        let kept = base < 0 || step == 4 ? base & (1 &<< step &- 1) : base
        return kept &+ Int32(truncatingIfNeeded: above) &<< step
    }

    /// Unpacks any group, and returns whether all samples are in range.
    static func unpack(_ group: Group, to samples: UnsafeMutablePointer<UInt16>) -> Bool {
        var place: UInt64 = 0
        func take(_ bits: UInt64) -> UInt64 {
            defer { place += bits }
            return group.bits(place, bits)
        }
        var last = SIMD2<Int32>.zero
        var hasBegun = (false, false)
        var step: Int32 = 0
        var greatest: Int32 = 0
        for index in 0..<count {
            if index % 3 == 2 { step = 4 >> (3 - Int32(truncatingIfNeeded: take(2))) }
            let row = index & 1
            let bits = take(8)
            if row == 0 ? hasBegun.0 : hasBegun.1 {
                last[row] = next(last[row], bits, step)
            } else if bits != 0 || index > 11 {
                last[row] = Int32(truncatingIfNeeded: bits << 4 | take(4))
                if row == 0 { hasBegun.0 = bits != 0 } else { hasBegun.1 = bits != 0 }
            }
            samples[index] = UInt16(truncatingIfNeeded: last[row])
            greatest = max(greatest, last[row])
        }
        return greatest <= Int32(limit)
    }
}
