/// One strip of Fujifilm's compression, 768 columns wide: six sensor rows are three lines of red, six of green and
/// three of blue. Each sample is predicted from its neighbours and coded by Golomb-Rice codes (LibRaw's
/// `fuji_compressed_load_raw` by A. Danilchenko, 2016).
struct RAFStripWriter {
    /// First lines of each colour; the first two are those above.
    private static let firstLines = [0, 5, 13]
    private static let lineCount = 18
    /// Two lines that are coded together, by one of three memories, and their even columns that are known only from
    /// neighbours: 1 for the even ones of these, 2 for the odd ones.
    private typealias Pair = (first: Int, second: Int, memory: Int, unknown: (first: Int, second: Int))
    private static let pairs: [Pair] = [
        (2, 7, 0, (3, 0)), (8, 15, 1, (0, 3)), (3, 9, 2, (1, 3)), (10, 16, 0, (0, 2)), (4, 11, 1, (2, 0)),
        (12, 17, 2, (3, 1)),
    ]
    private static let lead = 4

    /// Statistics of the codes after a gradient.
    private struct Memory {
        var sum: Int
        var count = 1

        /// Number of a code's verbatim bits.
        var parameter: Int {
            var bits = 0
            while bits < 15, count << bits < sum { bits += 1 }
            return bits
        }

        mutating func follow(_ value: Int) {
            sum += abs(value)
            if count == 64 {
                sum >>= 1
                count >>= 1
            }
            count += 1
        }
    }

    private let bits: Int
    private let isXTrans: Bool
    private let greatest: Int
    private let width: Int
    private var lines: [[Int]]
    /// Maximum error of samples; nil before the first rows.
    private var tolerance: Int?
    /// Three of even columns and three of odd ones, by scale: the rows' own, or one of three finer ones.
    private var memories: [[[Memory]]]
    private var output = CameraBits()

    init(bits: Int, isXTrans: Bool) {
        self.bits = bits
        self.isXTrans = isXTrans
        greatest = 1 << bits - 1
        width = isXTrans ? 512 : 384
        lines = [[Int]](repeating: [Int](repeating: 0, count: width + 2), count: Self.lineCount)
        memories = []
        for scale in 0..<4 {
            memories.append([])
            forget(scale, tolerance: max(scale - 1, 0))
        }
    }

    /// Number of distinct values with this tolerance.
    private func total(_ tolerance: Int) -> Int { (greatest + 2 * tolerance) / (2 * tolerance + 1) + 1 }

    private mutating func forget(_ scale: Int, tolerance: Int) {
        let memory = Memory(sum: max(2, (total(tolerance) + 0x20) >> 6))
        memories[scale] = [[Memory]](repeating: [Memory](repeating: memory, count: scale == 0 ? 41 : 5), count: 6)
    }

    mutating func finish() -> [UInt8] { output.finish() }

    /// Line of a colour, and index in it, of a sample.
    private func place(row: Int, column: Int, colour: Int) -> (line: Int, index: Int) {
        let line = Self.firstLines[colour] + 2 + (colour == 1 ? row : row / 2)
        return (line, isXTrans ? column / 3 * 2 + [0, 1, 1][column % 3] : column / 2)
    }

    /// Codes six rows.
    ///
    /// - Parameters:
    ///   - samples: six rows of 768.
    ///   - colours: 0 for red, 1 for green and 2 for blue, by row and column.
    ///   - tolerance: maximum error.
    /// - Returns: the decoded samples.
    mutating func put(_ samples: [[Int]], tolerance: Int, colours: (Int, Int) -> Int) -> [[Int]] {
        if self.tolerance != tolerance {
            self.tolerance = tolerance
            forget(0, tolerance: tolerance)
        }
        for (row, columns) in samples.enumerated() {
            for (column, sample) in columns.enumerated() {
                let (line, index) = place(row: row, column: column, colour: colours(row, column))
                lines[line][index + 1] = sample
            }
        }
        for pair in Self.pairs { put(pair) }
        let decoded = samples.indices.map { row in
            samples[row].indices.map { column in
                let (line, index) = place(row: row, column: column, colour: colours(row, column))
                return lines[line][index + 1]
            }
        }
        for (to, from) in [(0, 3), (1, 4), (5, 11), (6, 12), (13, 16), (14, 17)] { lines[to] = lines[from] }
        return decoded
    }

    private mutating func put(_ pair: Pair) {
        let both = [(pair.first, pair.unknown.first), (pair.second, pair.unknown.second)]
        for (line, _) in both {
            lines[line][0] = lines[line - 1][1]
            lines[line][width + 1] = lines[line - 1][width]
        }
        for step in 0..<width / 2 + Self.lead {
            if step < width / 2 {
                for (line, unknown) in both {
                    if isXTrans, unknown >> (step & 1) & 1 == 1 {
                        lines[line][2 * step + 1] = evenNeighbours(line, 2 * step + 1).prediction
                    } else {
                        putEven(line, 2 * step + 1, pair.memory)
                    }
                }
            }
            if step >= Self.lead { for (line, _) in both { putOdd(line, 2 * (step - Self.lead) + 2, pair.memory) } }
        }
    }

    /// The context of a code: a scale with its tolerance, and a gradient in it.
    private typealias Gradient = (scale: Int, tolerance: Int, number: Int)

    private func gradient(_ first: Int, _ second: Int) -> Gradient {
        let tolerance = tolerance ?? 0
        for scale in 1..<4 where scale <= tolerance && abs(first) + abs(second) <= 4 + scale {
            func level(_ step: Int) -> Int { abs(step) < scale ? 0 : step.signum() }
            return (scale, scale - 1, 3 * level(first) + level(second))
        }
        let borders = [tolerance, 3 * tolerance + 0x11, 5 * tolerance + 0x42, 7 * tolerance + 0x113]
        func level(_ step: Int) -> Int { step.signum() * borders.count { abs(step) > $0 } }
        return (0, tolerance, 9 * level(first) + level(second))
    }

    private func evenNeighbours(_ line: Int, _ x: Int) -> (prediction: Int, gradient: Gradient) {
        let (north, farNorth) = (lines[line - 1][x], lines[line - 2][x])
        let (west, east) = (lines[line - 1][x - 1], lines[line - 1][x + 1])
        let gradient = gradient(north - farNorth, west - north)
        let steps = (west: abs(west - north), far: abs(farNorth - north), east: abs(east - north))
        // The least similar neighbour is ignored.
        var sum = east + west
        if steps.west > max(steps.far, steps.east) {
            sum = farNorth + east
        } else if steps.east > max(steps.far, steps.west) {
            sum = farNorth + west
        }
        return ((sum + 2 * north) >> 2, gradient)
    }

    private mutating func putEven(_ line: Int, _ x: Int, _ memory: Int) {
        let (prediction, gradient) = evenNeighbours(line, x)
        put(line, x, prediction, gradient, at: memory)
    }

    private mutating func putOdd(_ line: Int, _ x: Int, _ memory: Int) {
        let (west, east) = (lines[line][x - 1], lines[line][x + 1])
        let (north, northWest, northEast) = (lines[line - 1][x], lines[line - 1][x - 1], lines[line - 1][x + 1])
        let gradient = gradient(north - northWest, northWest - west)
        let isExtreme = north > max(northWest, northEast) || north < min(northWest, northEast)
        let prediction = isExtreme ? (east + west + 2 * north) >> 2 : (east + west) >> 1
        put(line, x, prediction, gradient, at: 3 + memory)
    }

    private mutating func put(_ line: Int, _ x: Int, _ prediction: Int, _ gradient: Gradient, at memory: Int) {
        let (step, total) = (2 * gradient.tolerance + 1, total(gradient.tolerance))
        let difference = lines[line][x] - prediction
        let steps = difference.signum() * ((abs(difference) + gradient.tolerance) / step)
        lines[line][x] = min(max(prediction + steps * step, 0), greatest)
        var value = gradient.number < 0 ? -steps : steps
        if value < -(total / 2) { value += total }
        if value > (total - 1) / 2 { value -= total }
        let code = value < 0 ? -2 * value - 1 : 2 * value
        let parameter = memories[gradient.scale][memory][abs(gradient.number)].parameter
        let zeros = code >> parameter
        let valueBits = (0..<bits).first { total <= 1 << $0 } ?? bits
        let maxZeros = 4 * bits - max(valueBits, 1) - 1
        if zeros < maxZeros {
            output.put(1, zeros + 1)
            output.put(code & (1 << parameter - 1), parameter)
        } else {
            output.put(1, maxZeros + 1)
            output.put(code - 1, max(valueBits, 1))
        }
        memories[gradient.scale][memory][abs(gradient.number)].follow(value)
    }
}
