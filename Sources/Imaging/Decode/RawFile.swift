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

    /// Decompresses one picture.
    /// - Parameter threads: how many may share the work; the samples do not depend on it.
    /// - Throws: `corrupt` too for a file that holds less than it speaks of: nothing half-decoded comes out.
    public func decode(
        frame: Int = 0, xTrans: XTransDelivery = .interpolated, threads: Int = 1
    ) throws(DecodeError) -> SensorImage {
        try decode(frame: frame, DecodeOptions(xTrans: xTrans, threads: threads))
    }

    func decode(frame: Int = 0, _ options: DecodeOptions) throws(DecodeError) -> SensorImage {
        try Frame(frame, of: bytes, limits: limits).decode(options, limits: limits)
    }

    /// The picture the camera embedded, if any; a damaged or missing one is nil.
    public func embeddedPreview(frame: Int = 0) throws(DecodeError) -> EmbeddedPreview? {
        try Frame(frame, of: bytes, limits: limits).preview(limits: limits)
    }

    /// The smallest of the embedded pictures that is large enough to compare with: usually the thumbnail. Nil where
    /// there is none that can be read in a few milliseconds.
    public func smallPreview(frame: Int = 0) throws(DecodeError) -> EmbeddedPreview? {
        try Frame(frame, of: bytes, limits: limits).smallPreview(limits: limits)
    }
}

/// What to give for Fujifilm's X-Trans sensors.
public enum XTransDelivery: Hashable, Sendable {
    /// The sensor's own samples.
    case mosaic
    /// Three linear colours a pixel, interpolated by LibRaw.
    case interpolated
}
