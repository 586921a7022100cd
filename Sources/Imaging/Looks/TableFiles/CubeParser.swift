/// Parses a `.cube` file line by line.
///
/// The bytes are untrusted. They are read only through bounds-checked collections, and the module is compiled with
/// overflow checks.
struct CubeParser {
    private var curveSize: Int?
    private var cubeSize: Int?
    private var domain: LookupTable.Domain?
    private var curveRange: LookupTable.Domain?
    private var cubeRange: LookupTable.Domain?
    private var values: [Float] = []
    private var expectedRows: Int?
    private var rows = 0
    private var lastLine = 0

    mutating func parse(_ bytes: [UInt8]) throws(CubeError) {
        var offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var number = 1
        while offset < bytes.count {
            if let expectedRows, rows < expectedRows, PlainCubeRow.read(bytes.span, &offset, into: &values) {
                rows += 1
            } else {
                var end = offset
                while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
                try parse(CubeLine(bytes, range: offset..<end, number: number))
                if end + 1 < bytes.count, bytes[end] == 0x0D, bytes[end + 1] == 0x0A { end += 1 }
                offset = end + 1
            }
            lastLine = number
            number += 1
        }
    }

    private mutating func parse(_ line: CubeLine) throws(CubeError) {
        if line.isBlankOrComment { return }
        guard let keyword = line.keyword else { return try parseRow(line) }
        guard rows == 0 else {
            throw CubeError(
                line: line.number, "\(keyword) follows the start of the table", "move it above the numbers")
        }
        try parse(keyword, line)
    }

    // MARK: - Keywords

    private mutating func parse(_ keyword: String, _ line: CubeLine) throws(CubeError) {
        switch keyword {
        case "TITLE": break
        case "LUT_1D_SIZE": curveSize = try size(line, 2...65_536)
        case "LUT_3D_SIZE": cubeSize = try size(line, 2...256)
        case "DOMAIN_MIN": domain = try changed(line) { $0.minimum = $1 }
        case "DOMAIN_MAX": domain = try changed(line) { $0.maximum = $1 }
        case "LUT_1D_INPUT_RANGE": curveRange = try range(line)
        case "LUT_3D_INPUT_RANGE": cubeRange = try range(line)
        default:
            throw CubeError(
                line: line.number, "the keyword \(keyword.prefix(40)) is not known",
                "remove the line if the table means the same without it")
        }
    }

    private func size(_ line: CubeLine, _ range: ClosedRange<Int>) throws(CubeError) -> Int {
        let value = try line.numbers(from: 1, count: 1, limit: 1e6)[0]
        guard value == value.rounded(), range.contains(Int(value)) else {
            throw CubeError(
                line: line.number, "a table cannot have this size",
                "give a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(value)
    }

    private func changed(
        _ line: CubeLine, _ change: (inout LookupTable.Domain, SIMD3<Float>) -> Void
    ) throws(CubeError) -> LookupTable.Domain {
        var result = domain ?? LookupTable.Domain()
        let numbers = try line.numbers(from: 1, count: 3)
        change(&result, SIMD3(numbers[0], numbers[1], numbers[2]))
        return result
    }

    /// One range for all three channels.
    private func range(_ line: CubeLine) throws(CubeError) -> LookupTable.Domain {
        let ends = try line.numbers(from: 1, count: 2)
        return LookupTable.Domain(minimum: SIMD3(repeating: ends[0]), maximum: SIMD3(repeating: ends[1]))
    }

    // MARK: - Rows

    private mutating func parseRow(_ line: CubeLine) throws(CubeError) {
        if expectedRows == nil {
            guard sizedRows > 0 else {
                throw CubeError(
                    line: line.number, "numbers come before the table's size",
                    "put LUT_3D_SIZE or LUT_1D_SIZE above them")
            }
            expectedRows = sizedRows
            // Limits the reservation, because a false size must not reserve memory that the file does not fill.
            values.reserveCapacity(3 * min(sizedRows, 1 << 17))
        }
        guard rows < expectedRows ?? 0 else {
            throw CubeError(
                line: line.number, "the table has more than the \(expectedRows ?? 0) rows of its size",
                "correct the size or remove the rows")
        }
        values += try line.numbers(from: 0, count: 3)
        rows += 1
    }

    private var sizedRows: Int { (curveSize ?? 0) + (cubeSize.map { $0 * $0 * $0 } ?? 0) }

    // MARK: - The result

    func finish() throws(CubeError) -> LookupTable {
        guard curveSize != nil || cubeSize != nil else {
            throw CubeError(
                line: max(lastLine, 1), "the file has no LUT_3D_SIZE and no LUT_1D_SIZE", "it may not be a .cube file")
        }
        guard rows == sizedRows else {
            throw CubeError(
                line: max(lastLine, 1), "the table ends after \(rows) of \(sizedRows) rows",
                "the file may be cut off: copy or export it again")
        }
        let curveDomain = try checked(curveRange ?? domain)
        let cubeDomain = try checked(cubeRange ?? (curveSize == nil ? domain : nil))
        let split = 3 * (curveSize ?? 0)
        return LookupTable(
            curves: curveSize.map { .init(size: $0, domain: curveDomain, values: Array(values[..<split])) },
            cube: cubeSize.map { .init(size: $0, domain: cubeDomain, values: Array(values[split...])) })
    }

    private func checked(_ domain: LookupTable.Domain?) throws(CubeError) -> LookupTable.Domain {
        let domain = domain ?? LookupTable.Domain()
        for channel in 0..<3 where domain.maximum[channel] - domain.minimum[channel] < 1e-6 {
            throw CubeError("the domain's minimum is not below its maximum", "correct DOMAIN_MIN and DOMAIN_MAX")
        }
        return domain
    }
}
