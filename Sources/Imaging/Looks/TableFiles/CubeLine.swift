struct CubeLine {
    /// Counted from 1.
    let number: Int
    private let words: [Range<Int>]
    private let bytes: [UInt8]

    /// Further words are dropped: a valid line has at most a keyword and three numbers, and one word more proves it
    /// invalid.
    private static let maxWords = 5
    /// Largest number of a table.
    static let maxValue = 65_504.0

    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - range: the line's bytes, without the line end.
    ///   - number: counted from 1.
    init(_ bytes: [UInt8], range: Range<Int>, number: Int) {
        self.bytes = bytes
        self.number = number
        var words: [Range<Int>] = []
        var offset = range.lowerBound
        while offset < range.upperBound, words.count < Self.maxWords {
            while offset < range.upperBound, Self.isBlank(bytes[offset]) { offset += 1 }
            let start = offset
            while offset < range.upperBound, !Self.isBlank(bytes[offset]) { offset += 1 }
            if offset > start { words.append(start..<offset) }
        }
        self.words = words
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether the line has no words, or begins with `#`.
    var isBlankOrComment: Bool { words.first.map { bytes[$0.lowerBound] == 0x23 } ?? true }

    /// The first word in upper case, at most 32 characters, if it begins with a letter and is not a number such as
    /// `nan`.
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

    /// The words from `first` on as numbers.
    ///
    /// - Throws: `CubeError` unless there are exactly `count`, all of them finite and at most `limit` in size.
    func numbers(from first: Int, count: Int, limit: Double = maxValue) throws(CubeError) -> [Float] {
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
