struct FujifilmLinePair<Levels: FujifilmLevels> {
    struct Line {
        let samples: UnsafeMutablePointer<UInt16>
        let above: UnsafePointer<UInt16>
        let even: UnsafeMutablePointer<FujifilmPlan.Sample>
        let odd: UnsafeMutablePointer<FujifilmPlan.Sample>
    }

    /// How far odd columns follow even ones, so that several have both neighbours at once.
    @inline(__always)
    private static var lead: Int { FujifilmPlan.together }

    let levels: Levels
    let first: Line
    let second: Line
    let even: UnsafeMutablePointer<FujifilmMemory>
    let odd: UnsafeMutablePointer<FujifilmMemory>

    @inline(__always)
    private func decodeEven(_ line: Line, _ index: Int, _ reader: inout FujifilmReader) {
        line.samples[2 &* index] = levels.sample(line.even + index, even, &reader)
    }

    @inline(__always)
    private func decodeOdd(_ line: Line, _ index: Int, _ reader: inout FujifilmReader) {
        line.samples[2 &* index &+ 1] = levels.sample(line.odd + index, odd, &reader)
    }

    @inline(__always)
    private func complete(_ index: Int) {
        let x = 2 &* index
        FujifilmPlan.complete(
            .init(plans: first.odd + index, line: first.samples + x, above: first.above + x),
            .init(plans: second.odd + index, line: second.samples + x, above: second.above + x), levels)
    }

    /// Decodes an even column, if it is coded, and the odd column `lead` places before it. Places from `count` on have
    /// no even column, the first places no odd one. Passes readers as values, so that their fields stay in registers.
    private func decode(
        _ reader: FujifilmReader, _ coded: (first: Int, second: Int), _ places: Range<Int>, count: Int
    ) -> FujifilmReader {
        var reader = reader
        for index in places {
            if index < count {
                if coded.first &>> (index & 1) & 1 != 0 { decodeEven(first, index, &reader) }
                if coded.second &>> (index & 1) & 1 != 0 { decodeEven(second, index, &reader) }
            }
            if index >= Self.lead {
                if index % Self.lead == 0 { complete(index &- Self.lead) }
                decodeOdd(first, index &- Self.lead, &reader)
                decodeOdd(second, index &- Self.lead, &reader)
            }
        }
        return reader
    }

    /// Decodes both lines of one strip. `count` is the number of even columns, and of odd columns.
    static func decode(
        _ one: (pair: FujifilmLinePair, reader: FujifilmReader), _ coded: (first: Int, second: Int), count: Int
    ) -> FujifilmReader {
        one.pair.decode(one.reader, coded, 0..<count &+ lead, count: count)
    }

    static func decode(
        _ one: (pair: FujifilmLinePair, reader: FujifilmReader),
        _ other: (pair: FujifilmLinePair, reader: FujifilmReader), _ coded: (first: Int, second: Int), count: Int
    ) -> (FujifilmReader, FujifilmReader) {
        let (a, b) = (one.pair, other.pair)
        let both = (first: 0..<min(lead, count), last: max(count & ~(lead &- 1), min(lead, count))..<count &+ lead)
        var reader = a.decode(one.reader, coded, both.first, count: count)
        var otherReader = b.decode(other.reader, coded, both.first, count: count)
        let (isFirst, isSecond) = (coded.first & 1 != 0, coded.second & 1 != 0)
        let (isFirstNext, isSecondNext) = (coded.first & 2 != 0, coded.second & 2 != 0)
        var index = both.first.upperBound
        while index < both.last.lowerBound {
            step(a, b, index, isFirst, isSecond, completes: true, &reader, &otherReader)
            step(a, b, index &+ 1, isFirstNext, isSecondNext, completes: false, &reader, &otherReader)
            step(a, b, index &+ 2, isFirst, isSecond, completes: false, &reader, &otherReader)
            step(a, b, index &+ 3, isFirstNext, isSecondNext, completes: false, &reader, &otherReader)
            index &+= lead
        }
        return (
            a.decode(reader, coded, both.last, count: count), b.decode(otherReader, coded, both.last, count: count)
        )
    }

    /// Decodes one place of two strips. Unrolls `lead` places to avoid testing the position.
    @inline(__always)
    private static func step(
        _ a: FujifilmLinePair, _ b: FujifilmLinePair, _ index: Int, _ isFirst: Bool, _ isSecond: Bool, completes: Bool,
        _ reader: inout FujifilmReader, _ otherReader: inout FujifilmReader
    ) {
        if isFirst {
            a.decodeEven(a.first, index, &reader)
            b.decodeEven(b.first, index, &otherReader)
        }
        if isSecond {
            a.decodeEven(a.second, index, &reader)
            b.decodeEven(b.second, index, &otherReader)
        }
        if completes {
            a.complete(index &- lead)
            b.complete(index &- lead)
        }
        a.decodeOdd(a.first, index &- lead, &reader)
        b.decodeOdd(b.first, index &- lead, &otherReader)
        a.decodeOdd(a.second, index &- lead, &reader)
        b.decodeOdd(b.second, index &- lead, &otherReader)
    }
}
