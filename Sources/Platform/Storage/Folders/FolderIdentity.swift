internal import Glibc

/// A random number in a file of a folder, which identifies the folder wherever it is mounted. A path does not: without
/// the mount, it is an empty folder.
public struct FolderIdentity: Hashable, Sendable, CustomStringConvertible {
    /// 32 hexadecimal digits.
    public let description: String

    private static let maxBytes: UInt64 = 256
    private static let digits = 32

    /// Parses an identity, ignoring whitespace; nil if invalid.
    public init?(_ text: String) {
        let digits = text.filter { !$0.isWhitespace }.lowercased()
        guard digits.utf8.count == Self.digits, digits.allSatisfy(\.isHexDigit) else { return nil }
        description = digits
    }

    fileprivate init() {
        let number = UInt128.random(in: 0 ... .max)
        let text = String(number, radix: 16)
        description = String(repeating: "0", count: Self.digits - text.utf8.count) + text
    }

    fileprivate init?(in root: Root, at path: [UInt8]) throws(StorageError) {
        guard try root.factsIfPresent(of: path) != nil else { return nil }
        let text = String(decoding: try root.contents(of: path, limitBytes: Self.maxBytes), as: UTF8.self)
        guard let identity = FolderIdentity(text) else {
            throw StorageError(.wrongKind, "read the identity in", path)
        }
        self = identity
    }
}

extension Root {
    /// The identity stored in a file of this folder; nil if the file does not exist. Throws `wrongKind` for a file with
    /// other content.
    public func identity(at path: [UInt8]) throws(StorageError) -> FolderIdentity? {
        try FolderIdentity(in: self, at: path)
    }

    /// The identity stored in a file of this folder, which is created durably if missing. Safe to call concurrently,
    /// also from several machines: the file gets its name by a link, which only one of them can make.
    public func makeIdentity(at path: [UInt8]) throws(StorageError) -> FolderIdentity {
        if let identity = try identity(at: path) { return identity }
        let made = FolderIdentity()
        let text = Array("\(made)\n".utf8)
        let draft = path + Array(".\(made)".utf8)
        _ = try publish(text, at: draft)
        defer { _ = try? remove(draft) }
        do throws(StorageError) {
            _ = try link(draft, at: path)
        } catch {
            // The file system has no hard links.
            _ = try publish(text, at: path)
        }
        guard let identity = try identity(at: path) else { throw StorageError(.notFound, "read", path) }
        return identity
    }
}
