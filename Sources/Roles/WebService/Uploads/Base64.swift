/// Base64 (RFC 4648), as used in headers.
enum Base64 {
    private static let values: [UInt8: UInt32] = {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return Dictionary(uniqueKeysWithValues: zip(letters, 0...))
    }()

    static func decoded(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.utf8.count - digits.count
        guard padding <= 2, text.utf8.suffix(padding).allSatisfy({ $0 == UInt8(ascii: "=") }), digits.count % 4 != 1
        else { return nil }
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for digit in digits {
            guard let value = values[digit] else { return nil }
            (bits, count) = (bits << 6 | value, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
