enum SafeName {
    /// A name has at most 255 bytes, of which a number needs some.
    private static let maxBytes = 200

    static func made(of name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? ""
        var safe = String(
            String.UnicodeScalarView(
                last.unicodeScalars.map { scalar in
                    let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
                    return isControl || "\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar
                }))
        if safe.utf8.count > maxBytes { safe = String(decoding: safe.utf8.suffix(maxBytes), as: UTF8.self) }
        return safe.isEmpty || safe.allSatisfy { $0 == "." } || safe.first == "." ? "_" + safe : safe
    }
}
