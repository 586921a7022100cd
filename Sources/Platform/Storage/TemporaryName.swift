enum TemporaryName {
    private static let prefix = Array(".rawmill-".utf8)
    private static let suffix = Array(".tmp".utf8)

    static func random() -> [CChar] {
        let number = UInt64.random(in: .min ... .max)
        return (prefix + Array(String(number, radix: 16).utf8) + suffix).cString
    }

    /// `.rawmill-<name>.tmp`, zero-terminated, within the length limit of file systems.
    ///
    /// - Parameter name: zero-terminated.
    static func replacement(for name: [CChar]) -> [CChar] {
        let plain = name.dropLast().map(UInt8.init(bitPattern:))
        return (prefix + plain.suffix(200) + suffix).cString
    }

    /// `.rawmill-<name>.aside`, within the length limit of file systems; both names are zero-terminated. No sweep
    /// removes such a file, because it may be a user's.
    static func aside(for name: [CChar]) -> [CChar] {
        let plain = name.dropLast().map(UInt8.init(bitPattern:))
        return (prefix + plain.suffix(200) + Array(".aside".utf8)).cString
    }

    static func matches(_ name: [UInt8]) -> Bool {
        name.starts(with: prefix) && name.suffix(suffix.count).elementsEqual(suffix)
    }
}
