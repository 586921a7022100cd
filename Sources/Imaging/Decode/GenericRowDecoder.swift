/// One row of a scan of any kind: any number of components, any predictor, any code.
struct GenericRowDecoder {
    private let scan: LosslessScan
    private let y: Int
    private let samples: UnsafeMutablePointer<UInt16>
    private let above: UnsafeMutablePointer<UInt16>?

    init(_ scan: LosslessScan, _ y: Int) {
        self.scan = scan
        self.y = y
        samples = scan.row(y)
        above = y > 0 ? scan.row(y - 1) : nil
    }

    /// - Parameter tables: one for each component.
    /// - Returns: all samples' bits joined.
    func decode(_ reader: inout DifferenceReader, _ tables: [DifferenceTable]) -> UInt32 {
        let components = scan.header.components
        let start = scan.start(row: y)
        var bits: UInt32 = 0
        for x in stride(from: 0, to: scan.header.samplesPerRow, by: components) {
            for component in 0..<components {
                let place = x + component
                let predicted = x == 0 ? UInt32(start[component]) : prediction(place)
                let value = predicted &+ reader.anyDifference(tables[component])
                samples[place] = UInt16(truncatingIfNeeded: value)
                bits |= value
            }
        }
        return bits
    }

    /// T.81, table H.1; the first row knows only its left neighbours.
    private func prediction(_ place: Int) -> UInt32 {
        let left = Int(samples[place - scan.header.components])
        guard let above else { return UInt32(left) }
        let upper = Int(above[place])
        let corner = Int(above[place - scan.header.components])
        let value =
            switch scan.header.predictor {
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
