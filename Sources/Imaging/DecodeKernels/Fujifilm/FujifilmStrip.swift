final class FujifilmStrip<Levels: FujifilmLevels> {
    private static var memoryCount: Int { 3 }

    let lines: FujifilmLines
    private var data = EntropyData()
    private var reader: FujifilmReader
    private let coding: FujifilmCoding
    /// For every six rows; nil if lossless.
    private let tolerances: [UInt8]?
    private var tolerance: Int?
    private let scales: UnsafeMutablePointer<FujifilmScale>
    private var levels: Levels
    /// Of even columns, then of odd columns.
    private let memories: UnsafeMutablePointer<FujifilmMemory>
    /// Of the two current lines.
    private let even: UnsafeMutablePointer<FujifilmPlan.Sample>
    private let odd: UnsafeMutablePointer<FujifilmPlan.Sample>

    init(_ bytes: UnsafeRawBufferPointer, coding: FujifilmCoding, tolerances: [UInt8]?) {
        self.coding = coding
        self.tolerances = tolerances
        lines = FujifilmLines(width: coding.lineWidth)
        data.loadPlain(bytes, slack: FujifilmReader.slack(samples: FujifilmLines.ownCount * coding.lineWidth))
        reader = FujifilmReader(data)
        scales = .allocate(capacity: Levels.scaleCount)
        scales.initialize(repeating: FujifilmScale(bits: coding.bits, tolerance: 0), count: Levels.scaleCount)
        levels = Levels(bits: coding.bits, scales: scales)
        memories = .allocate(capacity: 2 * Self.memoryCount * Levels.gradientCount)
        memories.initialize(
            repeating: FujifilmMemory(scales.pointee), count: 2 * Self.memoryCount * Levels.gradientCount)
        even = .allocate(capacity: coding.lineWidth)
        even.initialize(repeating: .init(prediction: 0, gradient: 0, sign: 0), count: coding.lineWidth)
        odd = .allocate(capacity: coding.lineWidth)
        odd.initialize(repeating: .init(prediction: 0, gradient: 0, sign: 0), count: coding.lineWidth)
        for gradient in FujifilmExactLevels.gradientCount..<Levels.gradientCount { forget(gradient, tolerance: 0) }
    }

    deinit {
        memories.deallocate()
        even.deallocate()
        odd.deallocate()
        scales.deallocate()
    }

    /// Whether all codes so far are sound.
    var isSound: Bool { reader.isSound(bits: coding.bits) }

    /// Resets a gradient's scale and memories for a new tolerance.
    private func forget(_ gradient: Int, tolerance: Int) {
        let scale = FujifilmScale(
            bits: coding.bits, tolerance: FujifilmCoarseLevels.tolerance(gradient: gradient, ofRows: tolerance))
        if gradient < Levels.scaleCount { scales[gradient] = scale }
        for memory in 0..<2 * Self.memoryCount {
            memories[memory * Levels.gradientCount + gradient] = FujifilmMemory(scale)
        }
    }

    func begin(_ number: Int) {
        guard let tolerances, number < tolerances.count, tolerance != Int(tolerances[number]) else { return }
        let next = Int(tolerances[number])
        tolerance = next
        for gradient in 0..<FujifilmExactLevels.gradientCount { forget(gradient, tolerance: next) }
        levels = Levels(bits: coding.bits, scales: scales)
    }

    private func open(_ pair: FujifilmLines.Pair) -> FujifilmLinePair<Levels> {
        func line(_ number: Int, _ first: Int, isAllCoded: Bool) -> FujifilmLinePair<Levels>.Line {
            lines.prepare(number)
            let count = coding.lineWidth / 2
            let above = UnsafePointer(lines.line(number - 1))
            FujifilmPlan.make(
                levels, above: above, farAbove: lines.line(number - 2), count: count, even: even + first,
                odd: odd + first)
            if !isAllCoded { FujifilmPlan.store(even + first, count: count, to: lines.line(number)) }
            return FujifilmLinePair.Line(
                samples: lines.line(number), above: above, even: even + first, odd: odd + first)
        }
        let gradients = memories + 2 * pair.memory * Levels.gradientCount
        return FujifilmLinePair(
            levels: levels, first: line(pair.first, 0, isAllCoded: pair.coded.first == 3),
            second: line(pair.second, coding.lineWidth / 2, isAllCoded: pair.coded.second == 3), even: gradients,
            odd: gradients + Levels.gradientCount)
    }

    /// Decodes six rows of one strip, or of two in one loop: while one waits for its next code, the other continues.
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
