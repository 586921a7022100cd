/// Rows of one band, decoded for four planes in parallel.
final class CRXBandRows {
    static let planeCount = 4

    let width: Int
    private let isPredicted: Bool
    private let bytes: CRXBytes
    private let steps: [Int32]
    private var codes: [CRXCodes]
    /// By plane, true if all coefficients of the band are zero.
    private let isEmpty: [Bool]
    private let ends: [UInt64]
    /// Two rows per plane, with one extra column on the left.
    private let rows: UnsafeMutablePointer<Int32>
    private let parameters: UnsafeMutablePointer<UInt8>
    private var rowCount = 0

    /// One band per plane, whose byte ranges lie inside the bytes. The width is in columns, at least 2.
    init(_ bands: [CRXTile.Band], _ bytes: CRXBytes, width: Int, isPredicted: Bool) {
        self.width = width
        self.isPredicted = isPredicted
        self.bytes = bytes
        steps = bands.map(\.step)
        codes = bands.map { CRXCodes(at: UInt64($0.bytes.lowerBound) * 8) }
        isEmpty = bands.map(\.bytes.isEmpty)
        ends = bands.map { UInt64($0.bytes.upperBound) * 8 }
        let count = Self.planeCount * 2 * (width + 1)
        rows = .allocate(capacity: count)
        rows.initialize(repeating: 0, count: count)
        parameters = .allocate(capacity: Self.planeCount * width)
        parameters.initialize(repeating: 0, count: Self.planeCount * width)
    }

    deinit {
        rows.deallocate()
        parameters.deallocate()
    }

    /// Bytes beyond the data that the reader of a row may load.
    static func slack(width: Int) -> Int { width / 8 + 64 }

    private func row(_ plane: Int, _ number: Int) -> UnsafeMutablePointer<Int32> {
        rows + (2 * plane + number & 1) * (width + 1)
    }

    /// The last row of a plane.
    func last(_ plane: Int) -> UnsafeMutablePointer<Int32> { row(plane, rowCount + 1) + 1 }

    /// Multiplies by the quantisation step.
    func copyLast(_ plane: Int, to target: UnsafeMutablePointer<Int32>) {
        let row = last(plane)
        let step = steps[plane]
        for x in 0..<width { target[x] = row[x] &* step }
    }

    /// Decodes the next row of all planes; false if a row is damaged.
    func decode() -> Bool {
        var isSound = true
        for plane in stride(from: 0, to: Self.planeCount, by: 2) {
            let isPairSound =
                rowCount == 0 ? decodeFirst(plane) : isPredicted ? decode(plane, predicted) : decode(plane, sparse)
            isSound =
                isPairSound && codes[plane].position <= ends[plane]
                && codes[plane + 1].position <= ends[plane + 1] && isSound
        }
        rowCount += 1
        return isSound
    }

    private func decodeFirst(_ first: Int) -> Bool {
        var isSound = true
        for plane in first...first + 1 where !isEmpty[plane] {
            let row = row(plane, rowCount)
            let isPlaneSound =
                isPredicted
                ? CRXPredictedRow.decodeFirst(&codes[plane], bytes, row: row, width: width)
                : CRXSparseRow.decodeFirst(
                    &codes[plane], bytes, row: row, parameters: parameters + plane * width, width: width)
            isSound = isPlaneSound && isSound
        }
        return isSound
    }

    private func predicted(_ plane: Int) -> CRXPredictedRow {
        CRXPredictedRow(codes[plane], above: row(plane, rowCount + 1), row: row(plane, rowCount), width: width)
    }

    private func sparse(_ plane: Int) -> CRXSparseRow {
        CRXSparseRow(
            codes[plane], above: row(plane, rowCount + 1), row: row(plane, rowCount),
            parameters: parameters + plane * width, width: width)
    }

    /// Decodes two planes in one loop: while one waits for its next code, the other continues.
    @inline(__always)
    private func decode<Row: CRXRow>(_ plane: Int, _ row: (Int) -> Row) -> Bool {
        let bytes = bytes
        let (hasOne, hasOther) = (!isEmpty[plane], !isEmpty[plane + 1])
        var (one, other) = (row(plane), row(plane + 1))
        while hasOne && hasOther && one.hasSeveral && other.hasSeveral {
            one.step(bytes)
            other.step(bytes)
        }
        let isSound = !hasOne || one.finish(bytes)
        let isOtherSound = !hasOther || other.finish(bytes)
        codes[plane] = one.codes
        codes[plane + 1] = other.codes
        return isSound && isOtherSound
    }

    /// Whether each coefficient of the last row fits in `bits` bits and a sign.
    func isInRange(bits: Int32) -> Bool {
        for plane in 0..<Self.planeCount {
            let row = last(plane)
            var joined: Int32 = 0
            for x in 0..<width { joined |= row[x] ^ (row[x] &>> 31) }
            guard joined >> bits == 0 else { return false }
        }
        return true
    }
}
