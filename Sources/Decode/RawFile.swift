import CLibRaw
public import Metadata
public import Pixels

/// One RAW, identified and ready to decode. Not for several threads at once.
///
/// The bytes belong to the caller and must stay in place, unchanged, while the value lives: a file that shrinks under
/// a memory mapping ends the process.
public struct RawFile: ~Copyable {
    /// How many pictures the file holds; at least 1.
    public let frameCount: Int
    private let bytes: UnsafeRawBufferPointer
    private let limits: DecodeLimits

    /// Reads the header: which camera, how large, how many frames.
    /// - Throws: `notRaw`, `unsupportedCamera`, `corrupt`, `tooLarge` or `outOfMemory`.
    public init(bytes: UnsafeRawBufferPointer, limits: DecodeLimits = .standard) throws(DecodeError) {
        try limits.check(fileBytes: bytes.count)
        let frameCount = try Frame(0, of: bytes, limits: limits).count
        self.bytes = bytes
        self.limits = limits
        self.frameCount = frameCount
    }

    /// What the file says about one of its pictures.
    public func metadata(frame: Int = 0) throws(DecodeError) -> SourceMetadata {
        let opened = try Frame(frame, of: bytes, limits: limits)
        return sourceMetadata(of: opened.raw, tags: opened.tags)
    }

    /// Everything developing needs to know, without decompressing a sample. White levels may be lowered by `decode`,
    /// which sees where the samples clip.
    public func facts(frame: Int = 0) throws(DecodeError) -> SensorFacts {
        try Frame(frame, of: bytes, limits: limits).sensorFacts()
    }

    /// Decompresses one picture.
    public func decode(frame: Int = 0) throws(DecodeError) -> SensorImage {
        try Frame(frame, of: bytes, limits: limits).decode(limits: limits)
    }
}
