/// Prediction before compression: TIFF's Predictor, and DNG's variants from the second or fourth pixel before (DNG 1.4,
/// chapter 2).
public enum SamplePrediction: Hashable, Sendable {
    /// No prediction.
    case none
    /// Samples are differences to the sample `step` pixels before (predictors 2, 34892 and 34893).
    case differences(step: Int)
    /// Bytes are grouped by significance, highest first, as differences to the byte `step` pixels before ("TIFF
    /// Technical Note 3", Adobe 2005; predictors 3, 34894 and 34895).
    case bytePlanes(step: Int)
}

/// Rows of samples of one to four bytes, whose prediction is undone in place. Valid while the bytes are.
public struct PredictedRows {
    let bytes: UnsafeMutableRawBufferPointer
    let rowSamples: Int
    let rows: Int
    let sampleBytes: Int
    private let prediction: SamplePrediction
    private let isLittleEndian: Bool
    /// Samples between a sample and its predictor.
    private let distance: Int

    /// Proves that the bytes are `rows` rows of `rowSamples` samples, and that the prediction suits the samples.
    ///
    /// - Parameters:
    ///   - bytes: stay in place while the value is in use.
    ///   - rowSamples: samples of all pixels of a row.
    ///   - sampleBytes: 1 to 4.
    ///   - samplesPerPixel: 1 to 4.
    ///   - isLittleEndian: byte order of samples.
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

    /// Undoes the prediction; call it once. Samples are then in their original byte order, or in planes of bytes.
    public func restore() {
        guard let start = bytes.baseAddress else { return }
        let rowBytes = rowSamples * sampleBytes
        switch (prediction, sampleBytes) {
        case (.none, _): return
        case (.bytePlanes, _), (.differences, 1): addUpBytes(start.assumingMemoryBound(to: UInt8.self), rowBytes)
        case (.differences, 2): for y in 0..<rows { addUp(start + y * rowBytes, UInt16.self) }
        default: for y in 0..<rows { addUp(start + y * rowBytes, UInt32.self) }
        }
    }

    private func addUpBytes(_ start: UnsafeMutablePointer<UInt8>, _ rowBytes: Int) {
        let whole = [1, 2, 4].contains(distance) ? rowBytes & ~7 : 0
        if whole > 0 {
            for y in stride(from: 0, to: rows & ~3, by: 4) {
                addUpByEights(start + y * rowBytes, rows: 4, rowBytes, count: whole)
            }
            for y in rows & ~3..<rows { addUpByEights(start + y * rowBytes, rows: 1, rowBytes, count: whole) }
        }
        for y in 0..<rows {
            let row = start + y * rowBytes
            for x in max(min(distance, rowBytes), whole)..<rowBytes { row[x] &+= row[x - distance] }
        }
    }

    /// Sums eight bytes at a time in one row or four, for distances 1, 2 and 4.
    private func addUpByEights(_ start: UnsafeMutablePointer<UInt8>, rows: Int, _ rowBytes: Int, count: Int) {
        switch (rows, distance) {
        case (4, 1): addUpByEights(start, fours: rowBytes, count: count, bits: 8)
        case (4, 2): addUpByEights(start, fours: rowBytes, count: count, bits: 16)
        case (4, _): addUpByEights(start, fours: rowBytes, count: count, bits: 32)
        case (_, 1): addUpByEights(start, fours: nil, count: count, bits: 8)
        case (_, 2): addUpByEights(start, fours: nil, count: count, bits: 16)
        default: addUpByEights(start, fours: nil, count: count, bits: 32)
        }
    }

    /// Prefix sums over two, four and eight neighbours, plus the previous total. A bytewise loop would wait for each
    /// sum from memory, and a single row for its own sums; four rows, `rowBytes` apart, wait together.
    @inline(__always) private func addUpByEights(
        _ start: UnsafeMutablePointer<UInt8>, fours rowBytes: Int?, count: Int, bits: UInt64
    ) {
        typealias Words = SIMD4<UInt64>
        func sum(_ a: Words, _ b: Words) -> Words {
            unsafeBitCast(
                unsafeBitCast(a, to: SIMD32<UInt8>.self) &+ unsafeBitCast(b, to: SIMD32<UInt8>.self), to: Words.self)
        }
        func place(_ row: Int, _ x: Int) -> UnsafeMutableRawPointer {
            UnsafeMutableRawPointer(start + row * (rowBytes ?? 0) + x)
        }
        func load(_ row: Int, _ x: Int) -> UInt64 { place(row, x).loadUnaligned(as: UInt64.self) }
        var before = Words.zero
        for x in stride(from: 0, to: count, by: 8) {
            var words = Words(repeating: 0)
            words[0] = load(0, x)
            if rowBytes != nil { (words[1], words[2], words[3]) = (load(1, x), load(2, x), load(3, x)) }
            if bits <= 8 { words = sum(words, words &<< 8) }
            if bits <= 16 { words = sum(words, words &<< 16) }
            words = sum(sum(words, words &<< 32), before)
            place(0, x).storeBytes(of: words[0], as: UInt64.self)
            if rowBytes != nil {
                for row in 1..<4 { place(row, x).storeBytes(of: words[row], as: UInt64.self) }
            }
            before = words &>> (64 - bits)
            if bits <= 8 { before |= before &<< 8 }
            if bits <= 16 { before |= before &<< 16 }
            before |= before &<< 32
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

    /// Sums every other sample, as in a colour filter array. The sums stay in registers.
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

    func places(_ row: UnsafeRawPointer) -> BytePlaces {
        let start = row.assumingMemoryBound(to: UInt8.self)
        if case .bytePlanes = prediction { return BytePlaces(highest: start, toLower: rowSamples, step: 1) }
        return BytePlaces(
            highest: start + (isLittleEndian ? sampleBytes - 1 : 0), toLower: isLittleEndian ? -1 : 1, step: sampleBytes
        )
    }
}

/// Positions of the bytes of a row's samples.
struct BytePlaces {
    /// Highest byte of the first sample.
    let highest: UnsafePointer<UInt8>
    /// Distance to the next lower byte of the same sample.
    let toLower: Int
    let step: Int

    /// A byte of a sample; 0 is the highest.
    subscript(byte: Int, sample: Int) -> UnsafePointer<UInt8> { highest + byte * toLower + sample * step }
}
