/// Samples in Panasonic's format 6 (LibRaw, `panasonicC6_load_raw`): eleven of 14 bits or fourteen of 12, all raised by
/// 15.
///
/// Bits are read from the highest: two whole samples, then three or four times a two-bit scale and three shorter
/// numbers. The scale gives the numbers' factor and their base below the sample two places before. Even and odd samples
/// form two sequences; one that starts with 0 takes its first other number unscaled.
struct GroupScales {
    static let of14 = GroupScales(bits: 14, numberBits: 10, thirds: 3, base: 0x200, whole: 0x2000, greatest: 0xffff)
    static let of12 = GroupScales(bits: 12, numberBits: 8, thirds: 4, base: 0x80, whole: 0x800, greatest: 0x3fff)

    /// Added to all samples.
    private static let pedestal: Int32 = 15

    /// Of the first two samples.
    let bits: Int
    let numberBits: Int
    let thirds: Int
    /// Distance of the base below the previous sample, in steps.
    let base: Int32
    /// Distance of the base below 0.
    let whole: Int32
    /// Greater samples become the maximum of the bits.
    let greatest: Int32

    /// Unpacks sixteen groups in which both sequences start at once; nil if a sequence starts later.
    @inline(__always)
    func unpack(_ groups: GroupLanes, to samples: UnsafeMutablePointer<GroupLanes.Numbers>) -> Bool? {
        var (even, odd) = (groups.bits(0, bits), groups.bits(bits, bits))
        guard pointwiseMin(even, odd).min() > 0 else { return nil }
        samples[0] = sample(even)
        samples[1] = sample(odd)
        for third in 0..<thirds {
            let place = 2 &* bits &+ third &* (2 &+ 3 &* numberBits)
            let stated = groups.bits(place, 2)
            let scale = stated &+ (stated &+ GroupLanes.Numbers(1)) &>> GroupLanes.Numbers(2)
            let start = GroupLanes.Numbers(base) &<< scale
            let counts = (start &- GroupLanes.Numbers(whole)).sign
            for index in 0..<3 {
                let number = groups.bits(place &+ 2 &+ index &* numberBits, numberBits) &<< scale
                let x = 2 &+ 3 &* third &+ index
                if x & 1 == 0 {
                    even = number &+ pointwiseMax(even &- start, .zero) & counts
                    samples[x] = sample(even)
                } else {
                    odd = number &+ pointwiseMax(odd &- start, .zero) & counts
                    samples[x] = sample(odd)
                }
            }
        }
        return true
    }

    @inline(__always)
    private func sample(_ value: GroupLanes.Numbers) -> GroupLanes.Numbers {
        let sample = pointwiseMax(value &- GroupLanes.Numbers(Self.pedestal), .zero)
        return .select(
            (GroupLanes.Numbers(greatest) &- sample).sign, GroupLanes.Numbers(1 &<< Int32(bits) &- 1), sample)
    }

    func unpack(_ group: Group, to samples: UnsafeMutablePointer<UInt16>) {
        var place: UInt64 = 0
        func take(_ bits: Int) -> Int32 {
            defer { place += UInt64(bits) }
            return Int32(truncatingIfNeeded: group.bits(place, UInt64(bits)))
        }
        var last = SIMD2(take(bits), take(bits))
        var hasBegun = [last.x != 0, last.y != 0]
        samples[0] = sample(last.x)
        samples[1] = sample(last.y)
        var scale: Int32 = 0
        for index in 2..<2 + 3 * thirds {
            let row = index & 1
            if index % 3 == 2 {
                let stated = take(2)
                scale = stated == 3 ? 4 : stated
            }
            let number = take(numberBits)
            if hasBegun[row] {
                let start = base << scale
                last[row] = number << scale + (start < whole ? max(last[row] - start, 0) : 0)
            } else {
                last[row] = number
                hasBegun[row] = number != 0
            }
            samples[index] = sample(last[row])
        }
    }

    private func sample(_ value: Int32) -> UInt16 {
        let sample = max(value - Self.pedestal, 0)
        return UInt16(truncatingIfNeeded: sample > greatest ? 1 << Int32(bits) - 1 : sample)
    }
}
