/// Sixteen groups, unpacked in parallel: each field has the same place in all of them.
struct GroupLanes {
    static let count = 16

    /// One field of all groups.
    typealias Numbers = SIMD16<Int32>
    private typealias Words = SIMD16<UInt32>

    /// From the lowest bits to the highest.
    private var words: (Words, Words, Words, Words)

    @inline(__always)
    init(_ group: (Int) -> Group) {
        words = (.zero, .zero, .zero, .zero)
        for lane in 0..<Self.count {
            let group = group(lane)
            words.0[lane] = UInt32(truncatingIfNeeded: group.low)
            words.1[lane] = UInt32(truncatingIfNeeded: group.low &>> 32)
            words.2[lane] = UInt32(truncatingIfNeeded: group.high)
            words.3[lane] = UInt32(truncatingIfNeeded: group.high &>> 32)
        }
    }

    /// A field of at most 16 bits, at a place counted from the highest bit.
    @inline(__always)
    func bits(_ place: Int, _ count: Int) -> Numbers {
        let lowest = 128 &- place &- count
        let shift = UInt32(truncatingIfNeeded: lowest & 31)
        let (word, next) =
            switch lowest &>> 5 {
            case 0: (words.0, words.1)
            case 1: (words.1, words.2)
            case 2: (words.2, words.3)
            default: (words.3, .zero)
            }
        var bits = word &>> Words(repeating: shift)
        if Int(shift) &+ count > 32 { bits |= next &<< Words(repeating: 32 &- shift) }
        return Numbers(truncatingIfNeeded: bits & Words(repeating: 1 &<< UInt32(truncatingIfNeeded: count) &- 1))
    }

    /// Writes samples group by group: one vector for each of `count` samples in a group.
    @inline(__always)
    static func store(
        _ numbers: UnsafePointer<Numbers>, count: Int, to samples: UnsafeMutablePointer<UInt16>
    ) {
        UnsafeRawPointer(numbers).withMemoryRebound(to: Int32.self, capacity: count * Self.count) { numbers in
            for lane in 0..<Self.count {
                for index in 0..<count {
                    samples[lane &* count &+ index] = UInt16(truncatingIfNeeded: numbers[index &* Self.count &+ lane])
                }
            }
        }
    }
}

extension SIMD16<Int32> {
    /// Selects by a mask: all ones for the first value, 0 for the second.
    @inline(__always)
    static func select(_ mask: Self, _ chosen: Self, _ other: Self) -> Self { other ^ mask & (chosen ^ other) }

    /// All ones for negative numbers, otherwise 0.
    @inline(__always)
    var sign: Self { self &>> Self(repeating: 31) }

    @inline(__always)
    init(_ number: Int32) { self.init(repeating: number) }
}
