/// Codes rows of numbers as Canon's CRX: adaptive Golomb-Rice codes, and runs of equal numbers by their length.
struct CRXWriter {
    private var bits = CameraBits()
    /// Number of a code's verbatim bits.
    private var parameter = 0
    /// Index of the expected run length.
    private var expectation = 0
    private var above: [Int]
    /// By column: the parameter after the number in the row above.
    private var parameters: [Int]
    private var isFirst = true

    /// Run length steps as numbers of bits.
    private static let steps = [
        0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]
    private static let maxZeros = 41
    private static let maxParameter = 15

    init(width: Int) {
        // One more column on the left.
        above = [Int](repeating: 0, count: width + 1)
        parameters = [Int](repeating: 0, count: width)
    }

    mutating func finish() -> [UInt8] { bits.finish() }

    /// Numbers that are similar to their neighbours.
    mutating func putPredicted(_ row: [Int]) {
        var current = [isFirst ? 0 : above[1]] + row
        var x = 1
        while x < current.count {
            let (west, remaining) = (current[x - 1], current.count - x)
            if remaining > 1, isFirst ? west == 0 : west == above[x] && west == above[x + 1] {
                let length = current[x...].prefix { $0 == west }.count
                putRun(length, of: remaining)
                x += length
                guard x < current.count else { break }
                put(current[x] - (isFirst ? 0 : above[x]), x)
            } else {
                put(current[x] - (isFirst ? west : Self.median(west, above[x], west + above[x] - above[x - 1])), x)
            }
            x += 1
        }
        current[0] = isFirst ? 0 : above[1]
        above = current
        isFirst = false
    }

    private static func median(_ a: Int, _ b: Int, _ c: Int) -> Int { [a, b, c].sorted()[1] }

    private mutating func put(_ difference: Int, _ x: Int) {
        let code = Self.code(difference)
        putCode(code)
        let isLast = x == above.count - 1
        follow(isFirst || isLast ? code : (code + 2 * abs(above[x + 1] - above[x])) >> 1)
    }

    /// Numbers that are mostly zero.
    mutating func putSparse(_ row: [Int]) {
        let current = [0] + row
        var x = 1
        while x < current.count {
            let remaining = current.count - x
            let isAfterZero = current[x - 1] == 0 && (isFirst || remaining > 1 && above[x] == 0 && above[x + 1] == 0)
            var start = 0
            if remaining > 1, isAfterZero {
                let length = current[x...].prefix { $0 == 0 }.count
                putRun(length, of: remaining)
                for place in x..<x + length { parameters[place - 1] = 0 }
                x += length
                guard x < current.count else { break }
                // It is not zero.
                start = 1
            }
            let code = Self.code(current[x]) - start
            let next = x < row.count ? parameters[x] : 0
            putCode(code)
            follow(code, max: isFirst || x == row.count ? Self.maxParameter : .max)
            if !isFirst, x < row.count {
                if next - parameter > 1 { parameter += 1 } else { parameter = min(parameter, Self.maxParameter) }
            }
            parameters[x - 1] = parameter
            x += 1
        }
        above = current
        isFirst = false
    }

    /// Maps numbers near zero to small codes.
    private static func code(_ difference: Int) -> Int { difference < 0 ? -2 * difference - 1 : 2 * difference }

    private mutating func putCode(_ code: Int) {
        let zeros = code >> parameter
        guard zeros < Self.maxZeros else {
            bits.put(0, Self.maxZeros)
            bits.put(1, 1)
            bits.put(code, 21)
            return
        }
        bits.put(1, zeros + 1)
        bits.put(code & (1 << parameter - 1), parameter)
    }

    private mutating func follow(_ code: Int, max: Int = maxParameter) {
        var next = parameter
        if code < (1 << parameter) / 2 { next -= 1 }
        if code >> parameter > 2 { next += 1 }
        if code >> parameter > 5 { next += 1 }
        parameter = min(next, max)
    }

    private mutating func putRun(_ length: Int, of remaining: Int) {
        guard length > 0 else { return bits.put(0, 1) }
        bits.put(1, 1)
        var count = 1
        while count < remaining {
            let step = Self.steps[expectation]
            if length < remaining, count + 1 << step > length {
                bits.put(0, 1)
                bits.put(length - count, step)
                expectation = max(expectation - 1, 0)
                return
            }
            bits.put(1, 1)
            count += 1 << step
            if count <= remaining { expectation = min(expectation + 1, 31) }
        }
    }
}
