public import Digest

/// One RAW file to convert, with the files beside it that belong to the same photograph.
public struct Source: Hashable, Sendable {
    /// The RAW.
    public let raw: FileStamp
    /// The XMP sidecar beside the RAW; nil where there is none.
    public let sidecar: FileStamp?
    /// The camera's own JPEG beside the RAW; nil where there is none.
    public let companion: FileStamp?
    /// The RAW's name in the photo tree, without look and extension.
    public let photoBase: [UInt8]

    /// - Parameters:
    /// - raw: the RAW.
    /// - sidecar: the XMP sidecar beside it.
    /// - companion: the camera's own JPEG beside it.
    /// - photoBase: the RAW's name in the photo tree, without look and extension.
    public init(raw: FileStamp, sidecar: FileStamp? = nil, companion: FileStamp? = nil, photoBase: [UInt8]) {
        self.raw = raw
        self.sidecar = sidecar
        self.companion = companion
        self.photoBase = photoBase
    }

    /// All that there are: the RAW, its sidecar, its companion.
    public var files: [FileStamp] { [raw] + [sidecar, companion].compactMap(\.self) }

    /// Changes whenever the RAW, its sidecar or its companion does, in path, size or time: a stale source has a new
    /// fingerprint.
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

/// Fields joined so that different lists of fields never give the same bytes: each is preceded by its length.
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
