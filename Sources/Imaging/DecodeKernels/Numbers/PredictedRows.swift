/// What was done to the rows of samples before they were compressed: TIFF's Predictor, and DNG's, which looks at the second or
/// fourth pixel before (DNG 1.4, chapter 2).
public enum SamplePrediction: Hashable, Sendable {
    /// Nothing.
    case none
    /// Each sample became its difference to the one `step` pixels before (predictors 2, 34892 and 34893).
    case differences(step: Int)
    /// The highest bytes of all samples of the row came first, then the next ones; and each byte became its difference to the
    /// one `step` pixels before ("TIFF Technical Note 3", Adobe 2005; predictors 3, 34894 and 34895).
    case bytePlanes(step: Int)
}

/// Rows of samples of one, two, three or four whole bytes, whose prediction is undone in place. Valid while the bytes are.
public struct PredictedRows {
    let bytes: UnsafeMutableRawBufferPointer
    let rowSamples: Int
    let rows: Int
    let sampleBytes: Int
    private let prediction: SamplePrediction
    private let isLittleEndian: Bool
    /// Samples from one to that which it is compared with.
    private let distance: Int

    /// Proves that the bytes are `rows` rows of `rowSamples` samples, and that the prediction is one of such samples.
    ///
    /// - Parameters:
    ///   - bytes: must stay in place while the value is in use.
    ///   - rowSamples: of all pixels of a row.
    ///   - sampleBytes: 1 to 4.
    ///   - samplesPerPixel: 1 to 4.
    ///   - isLittleEndian: the order of a sample's bytes.
    public init?(
        _ bytes: UnsafeMutableRawBufferPointer, rowSamples: Int, rows: Int, sampleBytes: Int, samplesPerPixel: Int,
        prediction: SamplePrediction, isLittleEndian: Bool
    ) {
        let edges = 1...1 << 20
        guard edges.contains(rowSamples), edges.contains(rows), (1...4).contains(sampleBytes),
            (1...4).contains(samplesPerPixel), bytes.count == rowSamples * rows * sampleBytes
        else { return nil }
        let steps = [1, 2, 4]
        switch prediction {
        case .none: distance = 1
        case .differences(let step):
            guard steps.contains(step), sampleBytes != 3 else { return nil }
            distance = step * samplesPerPixel
        case .bytePlanes(let step):
            guard steps.contains(step) else { return nil }
            distance = step * samplesPerPixel
        }
        self.bytes = bytes
        self.rowSamples = rowSamples
        self.rows = rows
        self.sampleBytes = sampleBytes
        self.prediction = prediction
        self.isLittleEndian = isLittleEndian
    }

    /// Undoes the prediction, once. Samples are then in the order of bytes that they had, or in planes of bytes.
    public func restore() {
        guard let start = bytes.baseAddress else { return }
        let rowBytes = rowSamples * sampleBytes
        for y in 0..<rows {
            let row = start + y * rowBytes
            switch (prediction, sampleBytes) {
            case (.none, _): return
            case (.bytePlanes, _), (.differences, 1):
                addUp(row.assumingMemoryBound(to: UInt8.self), count: rowBytes)
            case (.differences, 2): addUp(row, UInt16.self)
            default: addUp(row, UInt32.self)
            }
        }
    }

    private func addUp(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        let whole = [1, 2, 4].contains(distance) ? count & ~7 : 0
        if whole > 0 { addUpByEights(row, count: whole) }
        for x in max(min(distance, count), whole)..<count { row[x] &+= row[x - distance] }
    }

    /// Eight bytes at once, where the distance is 1, 2 or 4: sums of two, of four and of eight neighbours, and what came before.
    /// A loop byte by byte would wait for each sum to come back from memory.
    private func addUpByEights(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        typealias Eight = SIMD8<UInt8>
        let bits = UInt64(8 * distance)
        let repeated = UInt64.max / (1 << bits - 1)
        var before = Eight.zero
        for x in stride(from: 0, to: count, by: 8) {
            let place = UnsafeMutableRawPointer(row + x)
            var sum = place.loadUnaligned(as: Eight.self)
            var shift = bits
            while shift < 64 {
                sum &+= unsafeBitCast(unsafeBitCast(sum, to: UInt64.self) &<< shift, to: Eight.self)
                shift *= 2
            }
            sum &+= before
            place.storeBytes(of: sum, as: Eight.self)
            before = unsafeBitCast((unsafeBitCast(sum, to: UInt64.self) &>> (64 - bits)) &* repeated, to: Eight.self)
        }
    }

    private func addUp<Word: FixedWidthInteger>(_ row: UnsafeMutableRawPointer, _: Word.Type) {
        if distance == 2 { return addUpPairs(row, Word.self) }
        let size = MemoryLayout<Word>.size
        for x in min(distance, rowSamples)..<rowSamples {
            let before = value((row + (x - distance) * size).loadUnaligned(as: Word.self))
            let sum = value((row + x * size).loadUnaligned(as: Word.self)) &+ before
            (row + x * size).storeBytes(of: value(sum), as: Word.self)
        }
    }

    /// Every other sample: as of a colour filter array. The sums stay in registers.
    private func addUpPairs<Word: FixedWidthInteger>(_ row: UnsafeMutableRawPointer, _: Word.Type) {
        let size = MemoryLayout<Word>.size
        var (even, odd): (Word, Word) = (0, 0)
        for x in stride(from: 0, to: rowSamples & ~1, by: 2) {
            let place = row + x * size
            even &+= value(place.loadUnaligned(as: Word.self))
            odd &+= value((place + size).loadUnaligned(as: Word.self))
            place.storeBytes(of: value(even), as: Word.self)
            (place + size).storeBytes(of: value(odd), as: Word.self)
        }
        guard rowSamples % 2 == 1 else { return }
        let last = row + (rowSamples - 1) * size
        last.storeBytes(of: value(even &+ value(last.loadUnaligned(as: Word.self))), as: Word.self)
    }

    private func value<Word: FixedWidthInteger>(_ stored: Word) -> Word {
        isLittleEndian ? Word(littleEndian: stored) : Word(bigEndian: stored)
    }

    /// Where the bytes of a row's samples are, the highest of each first, and how far from one sample to the next.
    func places(_ row: UnsafeRawPointer) -> (bytes: [UnsafePointer<UInt8>], step: Int) {
        let start = row.assumingMemoryBound(to: UInt8.self)
        if case .bytePlanes = prediction { return ((0..<sampleBytes).map { start + $0 * rowSamples }, 1) }
        return ((0..<sampleBytes).map { start + (isLittleEndian ? sampleBytes - 1 - $0 : $0) }, sampleBytes)
    }
}
