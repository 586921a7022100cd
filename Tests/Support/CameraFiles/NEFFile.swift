package import PictureFormat
package import Pixels

/// A Nikon NEF with compressed samples: a directory for the camera, with a maker note that states the compression, and
/// one for the samples.
package struct NEFFile: CustomStringConvertible, Sendable {
    package enum Compression: Sendable {
        case lossless, lossy
    }

    package let compression: Compression
    package let bits: Int
    package var size = PixelSize(width: 640, height: 480)
    package var model = "NIKON D90"
    /// First row with a different code in a lossy file; 0 for none.
    package var split = 0

    package init(_ compression: Compression, bits: Int, split: Int = 0) {
        self.compression = compression
        self.bits = bits
        self.split = split
    }

    package var description: String { "\(compression), \(bits) bits, split at \(split)" }

    package func file(_ stream: [UInt8]) -> [UInt8] {
        CameraField.file(
            main: [.text(271, "NIKON CORPORATION"), .text(272, model), .shorts(274, [1])],
            raw: {
                CameraField.sensor(size, bits: bits, compression: 34713, at: $0, byteCount: stream.count)
            }, note: Self.note([.undefined(0x96, table)]), samples: stream)
    }

    /// The second format of Nikon's notes: an embedded TIFF, with the white balance and the fields after it.
    static func note(_ more: [CameraField]) -> [UInt8] {
        let fields: [CameraField] =
            [.undefined(1, Array("0210".utf8)), .rationals256(0x0c, [512, 384, 256, 256])] + more
        let header: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
        return Array("Nikon".utf8) + [0, 2, 0x10, 0, 0] + header + CameraField.laidOut(fields, at: 8)
    }

    private static let predictors = [500, 510, 520, 530]

    /// Version, predictors, and for lossy files the curve's points and the split.
    private var table: [UInt8] {
        let version: [UInt8] = compression == .lossless ? [0x46, 0x30] : [0x44, 0x20]
        let predictors = Self.predictors.flatMap { CameraField.number($0, 2) }
        guard compression == .lossy else { return version + predictors + [0, 0] }
        let points = stride(from: 0, through: 1 << bits, by: 1 << (bits - 8)).map(curve)
        let bytes = version + predictors + ([points.count] + points).flatMap { CameraField.number($0, 2) }
        return bytes + [UInt8](repeating: 0, count: 562 - bytes.count) + CameraField.number(split, 2) + [0, 0]
    }

    /// Steeper in bright light, as noise grows.
    private func curve(_ index: Int) -> Int {
        let top = 1 << bits
        return min(index * index / top / 2 + index / 2, top - 1)
    }

    /// Compresses samples. Lossy files change them.
    package func stream(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        let tree = (compression == .lossless ? 2 : 0) + (bits == 14 ? 3 : 0)
        let codes = [NEFCode(tree), NEFCode(compression == .lossless ? tree : tree + 1)]
        let values = compression == .lossless ? nil : inverseCurve
        var writer = CameraBits()
        var starts = Self.predictors
        for y in 0..<size.height {
            let code = codes[split > 0 && y >= split ? 1 : 0]
            let row = plane.row(y)
            var last = [0, 0]
            for x in 0..<size.width {
                let wanted = values.map { $0[Int(row[x])] } ?? Int(row[x])
                let predicted = x < 2 ? starts[2 * (y & 1) + x] : last[x & 1]
                last[x & 1] = predicted + writer.write(wanted - predicted, code)
                if x < 2 { starts[2 * (y & 1) + x] = last[x & 1] }
            }
        }
        return writer.finish()
    }

    private var inverseCurve: [Int] {
        var values: [Int] = []
        for index in 0..<1 << bits {
            while values.count < curve(index) { values.append(max(index - 1, 0)) }
        }
        return values + [Int](repeating: (1 << bits) - 1, count: (1 << bits) - values.count)
    }
}

/// One of Nikon's codes, as in dcraw.
private struct NEFCode {
    /// By the bits of a difference: code, its length, and number of omitted bits.
    let symbols: [Int: (code: Int, length: Int, shift: Int)]

    init(_ number: Int) {
        let (counts, leaves) = Self.trees[number]
        var symbols: [Int: (code: Int, length: Int, shift: Int)] = [:]
        var (code, next) = (0, 0)
        for (index, count) in counts.enumerated() {
            for _ in 0..<count {
                let leaf = leaves[next]
                if symbols[leaf & 15] == nil { symbols[leaf & 15] = (code, index + 1, leaf >> 4) }
                code += 1
                next += 1
            }
            code <<= 1
        }
        self.symbols = symbols
    }

    private static let trees: [(counts: [Int], leaves: [Int])] = [
        ([0, 1, 5, 1, 1, 1, 1, 1, 1, 2], [5, 4, 3, 6, 2, 7, 1, 0, 8, 9, 11, 10, 12, 0]),
        ([0, 1, 5, 1, 1, 1, 1, 1, 1, 2], [0x39, 0x5a, 0x38, 0x27, 0x16, 5, 4, 3, 2, 1, 0, 11, 12, 12]),
        ([0, 1, 4, 2, 3, 1, 2], [5, 4, 6, 3, 7, 2, 8, 1, 9, 0, 10, 11, 12]),
        ([0, 1, 4, 3, 1, 1, 1, 1, 1, 2], [5, 6, 4, 7, 8, 3, 9, 2, 1, 0, 10, 11, 12, 13, 14]),
        ([0, 1, 5, 1, 1, 1, 1, 1, 1, 1, 2], [8, 0x5c, 0x4b, 0x3a, 0x29, 7, 6, 5, 4, 3, 2, 1, 0, 13, 14]),
        ([0, 1, 4, 2, 2, 3, 1, 2], [7, 6, 8, 5, 9, 4, 10, 3, 11, 12, 2, 0, 1, 13, 14]),
    ]
}

extension CameraBits {
    /// - Returns: the decoded difference, which differs if bits are omitted.
    fileprivate mutating func write(_ difference: Int, _ code: NEFCode) -> Int {
        let size = Int.bitWidth - difference.magnitude.leadingZeroBitCount
        guard let symbol = code.symbols[size] else { return 0 }
        put(symbol.code, symbol.length)
        guard symbol.shift > 0 else {
            putDifference(difference, size)
            return difference
        }
        // A number that begins with 0 is negative.
        let number = difference < 0 ? min(difference + 1 << size, 1 << (size - 1) - 1) : difference
        put(number >> symbol.shift, size - symbol.shift)
        let found = (number >> symbol.shift) << symbol.shift + 1 << (symbol.shift - 1)
        return difference < 0 ? found - 1 << size : found
    }
}
