/// One strip while it is decoded.
final class FujifilmStrip {
    private static let memoryCount = 3

    let lines: FujifilmLines
    private var data = EntropyData()
    fileprivate var reader: FujifilmReader
    private let form: FujifilmReader.Form
    private let coding: FujifilmCoding
    /// Of even columns, then of odd ones.
    private let memories: UnsafeMutablePointer<FujifilmMemory>
    /// Of the two lines that are decoded: even columns, odd ones.
    private let plans: UnsafeMutablePointer<UInt32>

    init(_ bytes: UnsafeRawBufferPointer, coding: FujifilmCoding) {
        self.coding = coding
        lines = FujifilmLines(width: coding.lineWidth)
        data.loadPlain(bytes, slack: FujifilmReader.slack(samples: FujifilmLines.ownCount * coding.lineWidth))
        reader = FujifilmReader(data)
        form = FujifilmReader.Form(bits: coding.bits, maxZeros: coding.maxZeros)
        let count = 2 * Self.memoryCount * FujifilmPlan.gradientCount
        memories = .allocate(capacity: count)
        memories.initialize(repeating: FujifilmMemory(bits: coding.bits), count: count)
        plans = .allocate(capacity: 2 * coding.lineWidth)
        plans.initialize(repeating: 0, count: 2 * coding.lineWidth)
    }

    deinit {
        memories.deallocate()
        plans.deallocate()
    }

    /// False where the codes read so far are damaged.
    var isSound: Bool { reader.isSound(form) }

    /// Two lines, ready to be decoded.
    fileprivate func open(_ pair: FujifilmLines.Pair, _ quantised: UnsafePointer<Int8>) -> FujifilmLinePair {
        func line(_ number: Int, _ plans: UnsafeMutablePointer<UInt32>, isAllCoded: Bool) -> FujifilmLinePair.Line {
            lines.prepare(number)
            let count = coding.lineWidth / 2
            let above = UnsafePointer(lines.line(number - 1))
            FujifilmPlan.make(
                above: above, farAbove: lines.line(number - 2), count: count, even: plans, odd: plans + count)
            if !isAllCoded { FujifilmPlan.store(plans, count: count, to: lines.line(number)) }
            return FujifilmLinePair.Line(samples: lines.line(number), above: above, even: plans, odd: plans + count)
        }
        let gradients = memories + 2 * pair.memory * FujifilmPlan.gradientCount
        return FujifilmLinePair(
            reader: reader, form: form, first: line(pair.first, plans, isAllCoded: pair.coded.first == 3),
            second: line(pair.second, plans + coding.lineWidth, isAllCoded: pair.coded.second == 3), even: gradients,
            odd: gradients + FujifilmPlan.gradientCount, quantised: quantised, greatest: coding.greatest)
    }

    /// Decodes six rows of one strip, or of two in one loop: while one waits for its next code, the other goes on.
    ///
    /// - Parameter quantised: by step, from its least to its greatest; points to that of no step.
    static func decode(
        _ one: FujifilmStrip, _ other: FujifilmStrip?, _ pairs: [FujifilmLines.Pair],
        _ quantised: UnsafePointer<Int8>
    ) {
        for pair in pairs {
            var first = one.open(pair, quantised)
            if let other {
                var second = other.open(pair, quantised)
                FujifilmLinePair.decode(&first, &second, pair.coded, count: one.coding.lineWidth / 2)
                other.reader = second.reader
            } else {
                FujifilmLinePair.decode(&first, pair.coded, count: one.coding.lineWidth / 2)
            }
            one.reader = first.reader
        }
    }
}

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

    private(set) var reader: FujifilmReader
    private let form: FujifilmReader.Form
    let first: Line
    let second: Line
    let even: UnsafeMutablePointer<FujifilmMemory>
    let odd: UnsafeMutablePointer<FujifilmMemory>
    let quantised: UnsafePointer<Int8>
    let greatest: Int32

    init(
        reader: FujifilmReader, form: FujifilmReader.Form, first: Line, second: Line,
        even: UnsafeMutablePointer<FujifilmMemory>,
        odd: UnsafeMutablePointer<FujifilmMemory>, quantised: UnsafePointer<Int8>, greatest: Int32
    ) {
        self.reader = reader
        self.form = form
        self.first = first
        self.second = second
        self.even = even
        self.odd = odd
        self.quantised = quantised
        self.greatest = greatest
    }

    @inline(__always)
    private mutating func decodeEven(_ line: Line, _ index: Int) {
        let plan = line.even[index]
        let value = reader.value(&even[Int(truncatingIfNeeded: plan &>> 16 & 0x7f)], form)
        let sign = Int32(bitPattern: plan) &>> 31
        let sample = Int32(bitPattern: plan & 0xffff) &+ ((value ^ sign) &- sign)
        line.samples[2 &* index] = UInt16(truncatingIfNeeded: sample & greatest)
    }

    @inline(__always)
    private mutating func decodeOdd(_ line: Line, _ index: Int) {
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

    /// - Parameter count: of even columns, and of odd ones.
    static func decode(_ pair: inout FujifilmLinePair, _ coded: (first: Int, second: Int), count: Int) {
        for index in 0..<count &+ lead {
            if index < count {
                if coded.first &>> (index & 1) & 1 != 0 { pair.decodeEven(pair.first, index) }
                if coded.second &>> (index & 1) & 1 != 0 { pair.decodeEven(pair.second, index) }
            }
            if index >= lead {
                pair.decodeOdd(pair.first, index &- lead)
                pair.decodeOdd(pair.second, index &- lead)
            }
        }
    }

    /// The same of two strips.
    static func decode(
        _ one: inout FujifilmLinePair, _ other: inout FujifilmLinePair, _ coded: (first: Int, second: Int),
        count: Int
    ) {
        var (a, b) = (one, other)
        for index in 0..<count &+ lead {
            if index < count {
                if coded.first &>> (index & 1) & 1 != 0 {
                    a.decodeEven(a.first, index)
                    b.decodeEven(b.first, index)
                }
                if coded.second &>> (index & 1) & 1 != 0 {
                    a.decodeEven(a.second, index)
                    b.decodeEven(b.second, index)
                }
            }
            if index >= lead {
                a.decodeOdd(a.first, index &- lead)
                b.decodeOdd(b.first, index &- lead)
                a.decodeOdd(a.second, index &- lead)
                b.decodeOdd(b.second, index &- lead)
            }
        }
        (one, other) = (a, b)
    }
}
