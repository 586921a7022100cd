public import Digest

/// A RAW to convert, with its companions.
public struct Source: Hashable, Sendable {
    /// The RAW.
    public let raw: FileStamp
    /// The XMP sidecar, if any.
    public let sidecar: FileStamp?
    /// The camera's JPEG, if any.
    public let companion: FileStamp?
    /// The RAW's name in the photo tree, without look and extension.
    public let photoBase: [UInt8]

    /// Memberwise initializer.
    public init(raw: FileStamp, sidecar: FileStamp? = nil, companion: FileStamp? = nil, photoBase: [UInt8]) {
        self.raw = raw
        self.sidecar = sidecar
        self.companion = companion
        self.photoBase = photoBase
    }

    /// The RAW and those of sidecar and companion that exist.
    public var files: [FileStamp] { [raw] + [sidecar, companion].compactMap(\.self) }

    /// Changes with path, size or time of the RAW, its sidecar or its companion.
    public var fingerprint: SHA256Value {
        var canonical = CanonicalBytes("rawmill.source.1")
        for stamp in [raw, sidecar, companion] {
            canonical.append(stamp.map { Array($0.file.root.text.utf8) } ?? [])
            canonical.append(stamp?.file.path.bytes ?? [])
            canonical.append(stamp?.sizeBytes ?? 0)
            canonical.append(UInt64(bitPattern: stamp?.modifiedNanoseconds ?? 0))
        }
        return canonical.digest
    }
}

/// Joins fields, each preceded by its length, so that different lists never yield the same bytes.
struct CanonicalBytes {
    private var bytes: [UInt8] = []

    init(_ kind: String) { append(Array(kind.utf8)) }

    mutating func append(_ field: [UInt8]) {
        append(UInt64(field.count))
        bytes += field
    }

    mutating func append(_ number: UInt64) {
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes += $0 }
    }

    var digest: SHA256Value { SHA256Value(of: bytes) }
}
