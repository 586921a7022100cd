/// Groups of plain samples, packed from the lowest bit.
enum GroupBits {
    @inline(__always)
    static func unpack12(_ group: Group, to samples: UnsafeMutablePointer<UInt16>) {
        for index in 0..<5 {
            samples[index] = UInt16(truncatingIfNeeded: group.low &>> UInt64(12 &* index)) & 0xfff
        }
        let high = group.low &>> 60 | group.high &<< 4
        for index in 0..<5 {
            samples[5 &+ index] = UInt16(truncatingIfNeeded: high &>> UInt64(12 &* index)) & 0xfff
        }
    }

    @inline(__always)
    static func unpack14(_ group: Group, to samples: UnsafeMutablePointer<UInt16>) {
        for index in 0..<4 {
            samples[index] = UInt16(truncatingIfNeeded: group.low &>> UInt64(14 &* index)) & 0x3fff
        }
        let high = group.low &>> 56 | group.high &<< 8
        for index in 0..<4 {
            samples[4 &+ index] = UInt16(truncatingIfNeeded: high &>> UInt64(14 &* index)) & 0x3fff
        }
        samples[8] = UInt16(truncatingIfNeeded: group.high &>> 48) & 0x3fff
    }
}
