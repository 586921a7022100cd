/// One strip while it is decoded.
final class FujifilmStrip {
    private static let memoryCount = 3

    let lines: FujifilmLines
    private var data = EntropyData()
    private var reader: FujifilmReader
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
    private func open(_ pair: FujifilmLines.Pair, _ quantised: UnsafePointer<Int8>) -> FujifilmLinePair {
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
            form: form, first: line(pair.first, plans, isAllCoded: pair.coded.first == 3),
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
            let first = one.open(pair, quantised)
            if let other {
                let second = other.open(pair, quantised)
                (one.reader, other.reader) = FujifilmLinePair.decode(
                    (first, one.reader), (second, other.reader), pair.coded, count: one.coding.lineWidth / 2)
            } else {
                one.reader = FujifilmLinePair.decode((first, one.reader), pair.coded, count: one.coding.lineWidth / 2)
            }
        }
    }
}
