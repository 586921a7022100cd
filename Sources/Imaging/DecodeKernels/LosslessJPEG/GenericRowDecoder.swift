/// Decodes one row of any scan, with any number of components, predictor and code.
struct GenericRowDecoder {
    private let shape: LosslessJPEGShape
    private let start: SIMD4<UInt16>
    private let samples: UnsafeMutablePointer<UInt16>
    private let above: UnsafeMutablePointer<UInt16>?

    init(_ decoding: ScanDecoding, _ y: Int) {
        shape = decoding.scan.shape
        start = decoding.start(row: y)
        samples = decoding.row(y)
        above = y > 0 ? decoding.row(y - 1) : nil
    }

    /// Decodes with one table per component, and returns all samples ORed together.
    func decode(_ reader: inout DifferenceReader, _ tables: [DifferenceTable]) -> UInt32 {
        let components = shape.components
        var bits: UInt32 = 0
        for x in stride(from: 0, to: shape.samplesPerRow, by: components) {
            for component in 0..<components {
                let index = x + component
                let predicted = x == 0 ? UInt32(start[component]) : prediction(index)
                let value = predicted &+ reader.anyDifference(tables[component])
                samples[index] = UInt16(truncatingIfNeeded: value)
                bits |= value
            }
        }
        return bits
    }

    /// T.81, table H.1. The first row uses only its left neighbours.
    private func prediction(_ index: Int) -> UInt32 {
        let left = Int(samples[index - shape.components])
        guard let above else { return UInt32(left) }
        let upper = Int(above[index])
        let corner = Int(above[index - shape.components])
        let value =
            switch shape.predictor {
            case 2: upper
            case 3: corner
            case 4: left + upper - corner
            case 5: left + (upper - corner) >> 1
            case 6: upper + (left - corner) >> 1
            case 7: (left + upper) >> 1
            default: left
            }
        return UInt32(truncatingIfNeeded: value)
    }
}
