/// One strip while it is decoded.
final class FujifilmStrip {
    private static let memoryCount = 3

    let lines: FujifilmLines
    private var data = EntropyData()
    private var reader: FujifilmReader
    private let form: UnsafeMutablePointer<FujifilmReader.Form>
    private let coding: FujifilmCoding
    /// Of even columns, then of odd ones.
    private let memories: UnsafeMutablePointer<FujifilmMemory>
    /// Of the two lines that are decoded.
    private let even: UnsafeMutablePointer<FujifilmPlan.Sample>
    private let odd: UnsafeMutablePointer<FujifilmPlan.Sample>

    init(_ bytes: UnsafeRawBufferPointer, coding: FujifilmCoding) {
        self.coding = coding
        lines = FujifilmLines(width: coding.lineWidth)
        data.loadPlain(bytes, slack: FujifilmReader.slack(samples: FujifilmLines.ownCount * coding.lineWidth))
        reader = FujifilmReader(data)
        form = .allocate(capacity: 1)
        form.initialize(to: FujifilmReader.Form(bits: coding.bits, maxZeros: coding.maxZeros))
        let count = 2 * Self.memoryCount * FujifilmPlan.gradientCount
        memories = .allocate(capacity: count)
        memories.initialize(repeating: FujifilmMemory(bits: coding.bits), count: count)
        even = .allocate(capacity: coding.lineWidth)
        even.initialize(repeating: .init(prediction: 0, gradient: 0, sign: 0), count: coding.lineWidth)
        odd = .allocate(capacity: coding.lineWidth)
        odd.initialize(repeating: .init(prediction: 0, gradient: 0, sign: 0), count: coding.lineWidth)
    }

    deinit {
        memories.deallocate()
        even.deallocate()
        odd.deallocate()
        form.deallocate()
    }

    /// False where the codes read so far are damaged.
    var isSound: Bool { reader.isSound(form.pointee) }

    /// Two lines, ready to be decoded.
    private func open(_ pair: FujifilmLines.Pair) -> FujifilmLinePair {
        func line(_ number: Int, _ first: Int, isAllCoded: Bool) -> FujifilmLinePair.Line {
            lines.prepare(number)
            let count = coding.lineWidth / 2
            let above = UnsafePointer(lines.line(number - 1))
            FujifilmPlan.make(
                above: above, farAbove: lines.line(number - 2), count: count, even: even + first, odd: odd + first)
            if !isAllCoded { FujifilmPlan.store(even + first, count: count, to: lines.line(number)) }
            return FujifilmLinePair.Line(
                samples: lines.line(number), above: above, even: even + first, odd: odd + first)
        }
        let gradients = memories + 2 * pair.memory * FujifilmPlan.gradientCount
        return FujifilmLinePair(
            form: form, first: line(pair.first, 0, isAllCoded: pair.coded.first == 3),
            second: line(pair.second, coding.lineWidth / 2, isAllCoded: pair.coded.second == 3), even: gradients,
            odd: gradients + FujifilmPlan.gradientCount, greatest: coding.greatest)
    }

    /// Decodes six rows of one strip, or of two in one loop: while one waits for its next code, the other goes on.
    static func decode(_ one: FujifilmStrip, _ other: FujifilmStrip?, _ pairs: [FujifilmLines.Pair]) {
        for pair in pairs {
            let first = one.open(pair)
            if let other {
                let second = other.open(pair)
                (one.reader, other.reader) = FujifilmLinePair.decode(
                    (first, one.reader), (second, other.reader), pair.coded, count: one.coding.lineWidth / 2)
            } else {
                one.reader = FujifilmLinePair.decode((first, one.reader), pair.coded, count: one.coding.lineWidth / 2)
            }
        }
    }
}
