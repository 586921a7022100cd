/// The headers of a lossless JPEG up to its entropy-coded data (ITU-T T.81, annexes B and H).
struct LosslessJPEGHeader {
    let width: Int
    let height: Int
    let components: Int
    let precision: Int
    /// 1 to 7, of T.81 table H.1.
    let predictor: Int
    /// For each component, sixteen counts of codes by length and the categories in the order of their codes.
    let tables: [[UInt8]]
    /// Where the entropy-coded data begins.
    let dataOffset: Int

    var samplesPerRow: Int { width * components }

    enum Failure: Error {
        /// The headers break the standard.
        case damaged
        /// Sound and lossless, but of a kind that is left to LibRaw: subsampled, restarting or shifted.
        case unfamiliar
        /// A JPEG of another process, which neither we nor LibRaw decode here.
        case notLossless
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        let reader = ByteReader(bytes: bytes, littleEndian: false)
        var frame: Frame?
        var tables: [UInt8: [UInt8]] = [:]
        guard reader.word(0) == 0xffd8 else { throw .damaged }
        var place = 2
        while true {
            guard let marker = reader.word(place), marker > 0xff00, let length = reader.word(place + 2), length >= 2,
                reader.has(place + 2, length)
            else { throw .damaged }
            let segment = place + 4..<place + 2 + length
            switch marker {
            case 0xffc3: frame = try Frame(reader, segment)
            case 0xffc4: try Self.addTables(reader, segment, to: &tables)
            case 0xffdd: guard reader.word(segment.lowerBound) == 0 else { throw .unfamiliar }
            case 0xffc0...0xffcf: throw .notLossless
            case 0xffda:
                guard let frame else { throw .damaged }
                let scan = try Scan(reader, segment, frame: frame)
                (width, height, components) = (frame.width, frame.height, frame.components.count)
                precision = frame.precision
                predictor = scan.predictor
                self.tables = try scan.tables.map { number throws(Failure) in
                    guard let table = tables[number] else { throw .damaged }
                    return table
                }
                dataOffset = segment.upperBound
                return
            default: break
            }
            place = segment.upperBound
        }
    }

    private struct Frame {
        let precision: Int
        let width: Int
        let height: Int
        let components: [UInt8]

        init(_ reader: ByteReader, _ segment: Range<Int>) throws(Failure) {
            let start = segment.lowerBound
            guard let precision = reader.byte(start), let height = reader.word(start + 1),
                let width = reader.word(start + 3), let count = reader.byte(start + 5),
                segment.count == 6 + 3 * Int(count), (2...16).contains(precision), width > 0, height > 0
            else { throw .damaged }
            guard (1...4).contains(count) else { throw .unfamiliar }
            var components: [UInt8] = []
            for index in 0..<Int(count) {
                guard let name = reader.byte(start + 6 + 3 * index), let sampling = reader.byte(start + 7 + 3 * index)
                else { throw .damaged }
                guard sampling == 0x11 else { throw .unfamiliar }
                components.append(name)
            }
            self.precision = Int(precision)
            self.width = width
            self.height = height
            self.components = components
        }
    }

    private struct Scan {
        let tables: [UInt8]
        let predictor: Int

        init(_ reader: ByteReader, _ segment: Range<Int>, frame: Frame) throws(Failure) {
            let start = segment.lowerBound
            guard let count = reader.byte(start), segment.count == 4 + 2 * Int(count),
                let predictor = reader.byte(segment.upperBound - 3), let shift = reader.byte(segment.upperBound - 1)
            else { throw .damaged }
            // Several scans, one a component, are rare enough to leave.
            guard Int(count) == frame.components.count, (1...7).contains(predictor), shift & 15 == 0 else {
                throw .unfamiliar
            }
            var tables: [UInt8] = []
            for index in 0..<Int(count) {
                guard reader.byte(start + 1 + 2 * index) == frame.components[index],
                    let selector = reader.byte(start + 2 + 2 * index)
                else { throw .damaged }
                tables.append(selector >> 4)
            }
            self.tables = tables
            self.predictor = Int(predictor)
        }
    }

    private static func addTables(
        _ reader: ByteReader, _ segment: Range<Int>, to tables: inout [UInt8: [UInt8]]
    ) throws(Failure) {
        var place = segment.lowerBound
        while place < segment.upperBound {
            guard let number = reader.byte(place), place + 17 <= segment.upperBound else { throw .damaged }
            let counts = (1...16).compactMap { reader.byte(place + $0) }
            let total = counts.reduce(0) { $0 + Int($1) }
            guard number < 4, total <= 17, place + 17 + total <= segment.upperBound else { throw .damaged }
            let categories = (0..<total).compactMap { reader.byte(place + 17 + $0) }
            guard categories.allSatisfy({ $0 <= 16 }) else { throw .damaged }
            tables[number] = counts + categories
            place += 17 + total
        }
    }
}
