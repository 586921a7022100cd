/// One lossless JPEG and where its samples go.
struct LosslessScan {
    let bytes: UnsafeRawBufferPointer
    let header: LosslessJPEGHeader
    /// Row 0, of `header.samplesPerRow` samples; the others follow `strideSamples` apart, or take turns in two places.
    let target: UnsafeMutablePointer<UInt16>
    let strideSamples: Int
    /// What gets each row from those two places.
    private let receiver: Chunk?

    init(
        bytes: UnsafeRawBufferPointer, header: LosslessJPEGHeader, target: UnsafeMutablePointer<UInt16>,
        strideSamples: Int, passingOnTo receiver: Chunk? = nil
    ) {
        self.bytes = bytes
        self.header = header
        self.target = target
        self.strideSamples = strideSamples
        self.receiver = receiver
    }

    func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { target + (receiver == nil ? y : y & 1) * strideSamples }

    /// Says that a row is decoded.
    func finish(_ y: Int) { receiver?.put(row(y), header.samplesPerRow, from: y * header.samplesPerRow) }

    /// What the first sample of component `index` in row `y` is predicted from: the one above, or half the range.
    func start(_ index: Int, row y: Int) -> UInt32 {
        y > 0 ? UInt32(row(y - 1)[index]) : 1 << UInt32(header.precision - 1)
    }

    /// Two components with one table, each predicted from its left neighbour: what all cameras and converters write.
    var isUsual: Bool {
        header.components == 2 && header.predictor == 1 && header.tables[0] == header.tables[1]
    }

    /// - Parameter bits: of the row's samples, joined: shows at once whether one is out of range.
    func isSound(_ reader: DifferenceReader, bits: UInt32) -> Bool {
        (bits & 0xffff) >> UInt32(header.precision) == 0 && !reader.isBeyondEnd && !reader.metUnknownCode
    }
}

/// The buffers of one scan, for one after another: its bits, and the tables to read them by.
struct ScanBuffers: ~Copyable {
    private(set) var data = EntropyData()
    private(set) var tables: [DifferenceTable] = []
    private var definitions: [[UInt8]] = []

    /// False where the tables make no code.
    mutating func load(_ scan: LosslessScan, sixteenHasBits: Bool) -> Bool {
        guard prepare(scan.header.tables, sixteenHasBits) else { return false }
        let row = scan.header.samplesPerRow * DifferenceReader.mostBytesPerSample
        data.load(
            UnsafeRawBufferPointer(rebasing: scan.bytes[scan.header.dataOffset...]), slack: row + DifferenceReader.slack
        )
        return true
    }

    private mutating func prepare(_ definitions: [[UInt8]], _ sixteenHasBits: Bool) -> Bool {
        guard definitions != self.definitions else { return true }
        var tables: [DifferenceTable] = []
        for definition in definitions {
            guard let table = DifferenceTable(definition, sixteenHasBits: sixteenHasBits) else { return false }
            tables.append(table)
        }
        self.definitions = definitions
        self.tables = tables
        return true
    }

    /// The first table's entries; valid until the next load.
    func withEntries<Value>(_ body: (UnsafePointer<UInt32>) -> Value) -> Value? {
        tables.first?.entries.withUnsafeBufferPointer { $0.baseAddress.map(body) }
    }
}
