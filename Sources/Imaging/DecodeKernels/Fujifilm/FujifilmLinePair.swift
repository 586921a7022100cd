/// Two lines of a strip while they are decoded.
struct FujifilmLinePair {
    struct Line {
        let samples: UnsafeMutablePointer<UInt16>
        let above: UnsafePointer<UInt16>
        let even: UnsafePointer<FujifilmPlan.Even>
        let odd: UnsafePointer<FujifilmPlan.Odd>
    }

    /// Odd columns follow the even ones by so many of them.
    private static let lead = 4

    let form: FujifilmReader.Form
    let first: Line
    let second: Line
    let even: UnsafeMutablePointer<FujifilmMemory>
    let odd: UnsafeMutablePointer<FujifilmMemory>
    let quantised: UnsafePointer<Int8>
    let greatest: Int32

    @inline(__always)
    private func decodeEven(_ line: Line, _ index: Int, _ reader: inout FujifilmReader) {
        let plan = line.even[index]
        let value = reader.value(&even[Int(truncatingIfNeeded: plan &>> 16 & 0x7f)], form)
        let sign = Int32(bitPattern: plan) &>> 31
        let sample = Int32(bitPattern: plan & 0xffff) &+ ((value ^ sign) &- sign)
        line.samples[2 &* index] = UInt16(truncatingIfNeeded: sample & greatest)
    }

    @inline(__always)
    private func decodeOdd(_ line: Line, _ index: Int, _ reader: inout FujifilmReader) {
        let plan = Int32(bitPattern: line.odd[index])
        let west = Int32(line.samples[2 &* index])
        let east = Int32(line.samples[2 &* index &+ 2])
        let northWest = Int32(line.above[2 &* index])
        let gradient = plan &>> 24 &+ Int32(quantised[Int(northWest &- west)])
        let sign = gradient &>> 31
        let value = reader.value(&odd[Int((gradient ^ sign) &- sign)], form)
        let isExtreme = 0 &- (plan &>> 16 & 1)
        let both = west &+ east
        let north = 2 &* (plan & 0xffff)
        let prediction = (both &+ (both ^ ((both ^ north) & isExtreme))) &>> 2
        let sample = prediction &+ ((value ^ sign) &- sign)
        line.samples[2 &* index &+ 1] = UInt16(truncatingIfNeeded: sample & greatest)
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
                a.decodeOdd(a.first, index &- lead, &reader)
                b.decodeOdd(b.first, index &- lead, &otherReader)
                a.decodeOdd(a.second, index &- lead, &reader)
                b.decodeOdd(b.second, index &- lead, &otherReader)
            }
        }
        return (reader, otherReader)
    }
}
