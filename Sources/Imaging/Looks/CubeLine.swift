/// One line of a `.cube` file as the words in it.
struct CubeLine {
    let number: Int
    private let words: [Range<Int>]
    private let bytes: UnsafeBufferPointer<UInt8>

    /// Words beyond this many are counted but not kept: no line has more than a keyword and three numbers.
    private static let kept = 5
    /// Largest number of a table.
    static let largest = 65_504.0

    init(_ bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>, number: Int) {
        self.bytes = bytes
        self.number = number
        var words: [Range<Int>] = []
        var at = range.lowerBound
        while at < range.upperBound, words.count < Self.kept {
            while at < range.upperBound, Self.isBlank(bytes[at]) { at += 1 }
            let start = at
            while at < range.upperBound, !Self.isBlank(bytes[at]) { at += 1 }
            if at > start { words.append(start..<at) }
        }
        self.words = words
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    var count: Int { words.count }
    var isBlankOrComment: Bool { words.first.map { bytes[$0.lowerBound] == 0x23 } ?? true }

    /// The first word in upper case where it begins with a letter, at most 32 characters of it.
    var keyword: String? {
        guard let first = words.first, Self.isLetter(bytes[first.lowerBound]) else { return nil }
        let upper = first.prefix(32).map { i in
            let byte = bytes[i]
            return byte >= 0x61 && byte <= 0x7A ? byte - 32 : byte
        }
        let text = String(decoding: upper, as: UTF8.self)
        return ["NAN", "INF", "INFINITY"].contains(text) ? nil : text
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

    /// Words `first..<first + count` as numbers, where the line has exactly that many.
    func numbers(from first: Int, count: Int, limit: Double = largest) throws(CubeError) -> [Float] {
        guard words.count == first + count else {
            throw CubeError(
                line: number, "expected \(count) numbers, found \(max(words.count - first, 0))",
                "write \(count) numbers separated by spaces")
        }
        var values: [Float] = []
        for word in words[first...] {
            guard let value = DecimalNumber.parse(bytes, word), value.magnitude <= limit else {
                throw CubeError(
                    line: number, "\"\(text(word))\" is not a usable number",
                    "write decimal numbers such as 0.25 or 2.5e-1, at most \(Int(limit)) in size")
            }
            values.append(Float(value))
        }
        return values
    }

    private func text(_ word: Range<Int>) -> String {
        String(decoding: word.prefix(24).map { bytes[$0] }, as: UTF8.self)
    }
}

/// Decimal numbers with a dot, whatever the locale.
enum DecimalNumber {
    static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Nil for anything but a finite decimal number. Correctly rounded: up to 15 digits by one exact multiplication or
    /// division (W. D. Clinger, 1990, "How to read floating point numbers accurately"), others by the standard library.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ word: Range<Int>) -> Double? {
        guard word.count <= 64 else { return nil }
        var at = word.lowerBound
        var isNegative = false
        if bytes[at] == 0x2B || bytes[at] == 0x2D {
            isNegative = bytes[at] == 0x2D
            at += 1
        }
        var mantissa: UInt64 = 0
        var digits = 0
        var scale = 0
        var seenDot = false
        scan: while at < word.upperBound {
            switch bytes[at] {
            case 0x30...0x39:
                // Beyond 18 digits the slow way takes over.
                if digits < 18 { mantissa = mantissa &* 10 &+ UInt64(bytes[at] & 15) }
                digits += 1
                if seenDot { scale -= 1 }
            case 0x2E where !seenDot: seenDot = true
            default: break scan
            }
            at += 1
        }
        guard digits > 0 else { return nil }
        if at < word.upperBound {
            guard let exponent = exponent(bytes, at..<word.upperBound) else { return nil }
            scale += exponent
        }
        guard digits <= 18, mantissa < 1 << 53, scale.magnitude <= 22 else { return slow(bytes, word) }
        let size = scale < 0 ? Double(mantissa) / powers[-scale] : Double(mantissa) * powers[scale]
        return isNegative ? -size : size
    }

    private static func exponent(_ bytes: UnsafeBufferPointer<UInt8>, _ word: Range<Int>) -> Int? {
        guard bytes[word.lowerBound] | 0x20 == 0x65 else { return nil }
        var at = word.lowerBound + 1
        var isNegative = false
        if at < word.upperBound, bytes[at] == 0x2B || bytes[at] == 0x2D {
            isNegative = bytes[at] == 0x2D
            at += 1
        }
        guard at < word.upperBound, word.upperBound - at <= 4 else { return nil }
        var value = 0
        for i in at..<word.upperBound {
            guard (0x30...0x39).contains(bytes[i]) else { return nil }
            value = value * 10 + Int(bytes[i] & 15)
        }
        return isNegative ? -value : value
    }

    private static func slow(_ bytes: UnsafeBufferPointer<UInt8>, _ word: Range<Int>) -> Double? {
        guard let value = Double(String(decoding: bytes[word], as: UTF8.self)), value.isFinite else { return nil }
        return value
    }
}
