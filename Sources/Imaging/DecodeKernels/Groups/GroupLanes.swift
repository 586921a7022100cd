/// Sixteen groups that are unpacked in step: each number of theirs is in the same place.
struct GroupLanes {
    static let count = 16

    /// One number of each group.
    typealias Numbers = SIMD16<Int32>
    private typealias Words = SIMD16<UInt32>

    /// From the lowest bits to the highest.
    private var words: (Words, Words, Words, Words)

    /// - Parameter group: by lane.
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

    /// As many bits from a place on, counted from the highest bit: at most 16.
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

    /// Writes samples group by group.
    ///
    /// - Parameters:
    ///   - numbers: as many as a group has samples.
    ///   - count: of samples in a group.
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
    /// For each number the chosen one where the mask is all ones, the other one where it is 0.
    @inline(__always)
    static func select(_ mask: Self, _ chosen: Self, _ other: Self) -> Self { other ^ mask & (chosen ^ other) }

    /// All ones for negative numbers, else 0.
    @inline(__always)
    var sign: Self { self &>> Self(repeating: 31) }

    @inline(__always)
    init(_ number: Int32) { self.init(repeating: number) }
}
