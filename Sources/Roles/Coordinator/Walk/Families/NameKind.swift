/// The kind of a file by its extension, in any case.
enum NameKind: Hashable, Sendable {
    case raw, jpeg, sidecar, other

    init(name: some BidirectionalCollection<UInt8>) {
        guard let dot = name.lastIndex(of: .dot), dot != name.startIndex else {
            self = .other
            return
        }
        self.init(fileExtension: name[name.index(after: dot)...])
    }

    init(fileExtension: some Collection<UInt8>) {
        guard let packed = packedLowerCase(fileExtension) else {
            self = .other
            return
        }
        switch packed {
        case Self.xmpName: self = .sidecar
        case Self.jpgName, Self.jpegName: self = .jpeg
        default: self = rawExtensions.contains(packed) ? .raw : .other
        }
    }

    private static let xmpName = packedLowerCase("xmp".utf8)
    private static let jpgName = packedLowerCase("jpg".utf8)
    private static let jpegName = packedLowerCase("jpeg".utf8)
}

extension UInt8 {
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
}

private let rawExtensions = Set(RawExtensions.all.compactMap { packedLowerCase($0.utf8) })

/// One to eight ASCII letters and digits, in lower case, as one number; nil for anything else.
private func packedLowerCase(_ text: some Collection<UInt8>) -> UInt64? {
    var packed: UInt64 = 0
    var count = 0
    for byte in text {
        count += 1
        guard count <= 8 else { return nil }
        switch byte {
        case 0x30...0x39, 0x61...0x7A: packed = packed << 8 | UInt64(byte)
        case 0x41...0x5A: packed = packed << 8 | UInt64(byte | 0x20)
        default: return nil
        }
    }
    return count == 0 ? nil : packed
}
