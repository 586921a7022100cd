/// The name of a root, the same on every machine: `archive` in `archive=/mnt/archive`.
public struct RootName: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 1 to 64 of `a-z A-Z 0-9 . _ -`, not beginning with a dot.
    public let text: String

    /// Nil unless the name is 1 to 64 of `a-z A-Z 0-9 . _ -` and does not begin with a dot.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.first != 0x2E, text.utf8.allSatisfy(Self.allows) else {
            return nil
        }
        self.text = text
    }

    /// The root that is every library's own folder.
    public static let library = RootName(unchecked: "library")

    private init(unchecked text: String) { self.text = text }

    /// The closest valid name to a folder's: other bytes become `-`, and leading dots and dashes are dropped.
    public init(sanitizing folder: String) {
        let name = folder.utf8.map { Self.allows($0) ? Character(Unicode.Scalar($0)) : "-" }.prefix(64)
        let trimmed = name.drop { $0 == "." || $0 == "-" }
        self.text = trimmed.isEmpty ? "root" : String(trimmed)
    }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    /// The name.
    public var description: String { text }
    /// Orders by text.
    public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// A path below a root, in bytes, because file names on Linux need not be UTF-8.
public struct RelativePath: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 1 to 4,095 bytes, with parts separated by `/`.
    public let bytes: [UInt8]

    /// Nil for an empty or absolute path, one over 4,095 bytes, one with a NUL, or one with an empty, `.` or `..` part.
    public init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard Self.isPath(bytes) else { return nil }
        self.bytes = bytes
    }

    /// In one pass, because every record and every row makes several paths.
    private static func isPath(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty, bytes.count < 4096 else { return false }
        var length = 0
        var isOnlyDots = true
        for byte in bytes {
            if byte == 0 { return false }
            if byte == UInt8(ascii: "/") {
                if length == 0 || isOnlyDots && length <= 2 { return false }
                (length, isOnlyDots) = (0, true)
            } else {
                length += 1
                if byte != UInt8(ascii: ".") { isOnlyDots = false }
            }
        }
        return length > 0 && !(isOnlyDots && length <= 2)
    }

    /// The path of the text's UTF-8, under the same conditions.
    public init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// The last part.
    public var name: [UInt8] { Array(bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]) }

    /// The parent folder; nil directly below the root.
    public var folder: RelativePath? {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return RelativePath(unchecked: Array(bytes[..<slash]))
    }

    /// The path of an entry in this folder; nil if it is not valid.
    public func appending(_ name: some Collection<UInt8>) -> RelativePath? {
        RelativePath(bytes: bytes + [UInt8(ascii: "/")] + Array(name))
    }

    /// For messages: bytes that are not UTF-8 become U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
    /// Orders by bytes.
    public static func < (a: Self, b: Self) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

/// A file below a root. Never an absolute path.
public struct FileReference: Hashable, Sendable, CustomStringConvertible {
    /// The root.
    public let root: RootName
    /// The path below the root.
    public let path: RelativePath

    /// Memberwise initializer.
    public init(root: RootName, path: RelativePath) {
        self.root = root
        self.path = path
    }

    /// `root/path`, as people read and write it everywhere.
    public var description: String { "\(root)/\(path)" }
}

/// A file's state when it was planned. If it differs when the file is rendered, the job fails with `source-changed`.
public struct FileStamp: Hashable, Sendable {
    /// The file.
    public let file: FileReference
    /// Size in bytes.
    public let sizeBytes: UInt64
    /// Modification time in nanoseconds since 1970.
    public let modifiedNanoseconds: Int64

    /// Memberwise initializer.
    public init(file: FileReference, sizeBytes: UInt64, modifiedNanoseconds: Int64) {
        self.file = file
        self.sizeBytes = sizeBytes
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}
