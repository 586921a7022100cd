/// Two lines of a strip while they are decoded.
struct FujifilmLinePair {
    struct Line {
        let samples: UnsafeMutablePointer<UInt16>
        let above: UnsafePointer<UInt16>
        let even: UnsafeMutablePointer<FujifilmPlan.Sample>
        let odd: UnsafeMutablePointer<FujifilmPlan.Sample>
    }

    /// Odd columns follow the even ones by so many of them: those on either side of some are known at once.
    private static let lead = FujifilmPlan.together

    let form: UnsafePointer<FujifilmReader.Form>
    let first: Line
    let second: Line
    let even: UnsafeMutablePointer<FujifilmMemory>
    let odd: UnsafeMutablePointer<FujifilmMemory>
    let greatest: Int32

    @inline(__always)
    private func decode(
        _ plan: UnsafePointer<FujifilmPlan.Sample>, _ memories: UnsafeMutablePointer<FujifilmMemory>,
        to target: UnsafeMutablePointer<UInt16>, _ reader: inout FujifilmReader
    ) {
        let value = reader.value(&memories[Int(plan.pointee.gradient)], form)
        let sign = Int32(plan.pointee.sign)
        let sample = Int32(plan.pointee.prediction) &+ ((value ^ sign) &- sign)
        target.pointee = UInt16(truncatingIfNeeded: sample & greatest)
    }

    @inline(__always)
    private func decodeEven(_ line: Line, _ index: Int, _ reader: inout FujifilmReader) {
        decode(line.even + index, even, to: line.samples + 2 &* index, &reader)
    }

    @inline(__always)
    private func decodeOdd(_ line: Line, _ index: Int, _ reader: inout FujifilmReader) {
        decode(line.odd + index, odd, to: line.samples + (2 &* index &+ 1), &reader)
    }

    /// Completes the plans of odd columns of both lines.
    @inline(__always)
    private func complete(_ index: Int) {
        FujifilmPlan.complete(first.odd + index, line: first.samples + 2 &* index, above: first.above + 2 &* index)
        FujifilmPlan.complete(second.odd + index, line: second.samples + 2 &* index, above: second.above + 2 &* index)
    }

    /// Takes and returns readers, so that what they hold stays in registers.
    ///
    /// - Parameter count: of even columns, and of odd ones.
    static func decode(
        _ one: (pair: FujifilmLinePair, reader: FujifilmReader), _ coded: (first: Int, second: Int), count: Int
    ) -> FujifilmReader {
        let a = one.pair
        var reader = one.reader
        for index in 0..<count &+ lead {
            if index < count {
                if coded.first &>> (index & 1) & 1 != 0 { a.decodeEven(a.first, index, &reader) }
                if coded.second &>> (index & 1) & 1 != 0 { a.decodeEven(a.second, index, &reader) }
            }
            if index >= lead {
                if index % lead == 0 { a.complete(index &- lead) }
                a.decodeOdd(a.first, index &- lead, &reader)
                a.decodeOdd(a.second, index &- lead, &reader)
            }
        }
        return reader
    }

    /// The same of two strips.
    static func decode(
        _ one: (pair: FujifilmLinePair, reader: FujifilmReader),
        _ other: (pair: FujifilmLinePair, reader: FujifilmReader), _ coded: (first: Int, second: Int), count: Int
    ) -> (FujifilmReader, FujifilmReader) {
        let (a, b) = (one.pair, other.pair)
        var (reader, otherReader) = (one.reader, other.reader)
        for index in 0..<count &+ lead {
            if index < count {
                if coded.first &>> (index & 1) & 1 != 0 {
                    a.decodeEven(a.first, index, &reader)
                    b.decodeEven(b.first, index, &otherReader)
                }
                if coded.second &>> (index & 1) & 1 != 0 {
                    a.decodeEven(a.second, index, &reader)
                    b.decodeEven(b.second, index, &otherReader)
                }
            }
            if index >= lead {
                if index % lead == 0 {
                    a.complete(index &- lead)
                    b.complete(index &- lead)
                }
                a.decodeOdd(a.first, index &- lead, &reader)
                b.decodeOdd(b.first, index &- lead, &otherReader)
                a.decodeOdd(a.second, index &- lead, &reader)
                b.decodeOdd(b.second, index &- lead, &otherReader)
            }
        }
        return (reader, otherReader)
    }
}
