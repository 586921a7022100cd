internal import Glibc

/// What tells a folder from every other one, wherever it is mounted: a random number in a file of it.
///
/// A path is no identity: where a mount is missing, the same path is an empty folder.
public struct FolderIdentity: Hashable, Sendable, CustomStringConvertible {
    /// 32 hexadecimal digits.
    public let description: String

    /// The largest file that is read as an identity.
    private static let maxBytes: UInt64 = 256
    private static let digits = 32

    /// Nil for a text that is no identity. Spaces and line breaks around it do not count.
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
    /// The identity that a file of this folder holds; nil if there is no such file.
    ///
    /// - Throws: `wrongKind` for a file that holds something else.
    public func identity(at path: [UInt8]) throws(StorageError) -> FolderIdentity? {
        try FolderIdentity(in: self, at: path)
    }

    /// The identity that a file of this folder holds. Makes one, durably, if there is no such file.
    ///
    /// Processes of several machines may call it at the same time, and all get the same identity: the file gets its name
    /// by a link, which exactly one of them can make.
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
            // A file system without links.
            _ = try publish(text, at: path)
        }
        guard let identity = try identity(at: path) else { throw StorageError(.notFound, "read", path) }
        return identity
    }
}
