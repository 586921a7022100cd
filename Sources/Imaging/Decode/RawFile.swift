public import Metadata
public import PictureFormat
public import Pixels

/// One RAW, identified and ready to decode. For one thread at a time.
///
/// The bytes belong to the caller and must stay in place, unchanged, while the value lives: a file that shrinks under
/// a memory mapping ends the process. The caller vouches for that when it makes the value.
@safe public struct RawFile: ~Copyable {
    /// How many pictures the file holds; at least 1.
    public let frameCount: Int
    private let bytes: UnsafeRawBufferPointer
    let limits: DecodeLimits

    /// Reads the header: which camera, how large, how many frames.
    ///
    /// - Throws: `notRaw`, `unsupportedCamera`, `corrupt`, `tooLarge` or `outOfMemory`.
    public init(bytes: UnsafeRawBufferPointer, limits: DecodeLimits = .standard) throws(DecodeError) {
        try limits.check(fileBytes: bytes.count)
        let frameCount = try unsafe Frame(0, of: bytes, limits: limits).count
        unsafe self.bytes = unsafe bytes
        self.limits = limits
        self.frameCount = frameCount
    }

    /// What the file records beside one of its pictures.
    ///
    /// - Throws: what `init` throws.
    public func metadata(frame: Int = 0) throws(DecodeError) -> SourceMetadata {
        try unsafe FrameMetadataReader(Frame(frame, of: bytes, limits: limits)).metadata()
    }

    /// Decompresses one picture.
    ///
    /// - Parameters:
    ///   - frame: which picture, from 0.
    ///   - xTrans: what to return for Fujifilm's X-Trans sensors.
    ///   - threads: how many may share the work. The samples do not depend on it.
    ///   - profile: what the camera's colours are; nil for what the file says of them.
    /// - Throws: what `init` throws. A file that holds less than it speaks of is `corrupt`: nothing half-decoded is
    ///   returned.
    public func decode(
        frame: Int = 0, xTrans: XTransDelivery = .interpolated, threads: Int = 1,
        profile: CameraProfileFile? = nil
    ) throws(DecodeError) -> SensorImage {
        try decode(frame: frame, DecodeOptions(xTrans: xTrans, threads: threads, profile: profile))
    }

    /// The same with the samples by LibRaw alone, to measure our unpackers against.
    package func decodeByLibRaw() throws(DecodeError) -> SensorImage {
        try decode(DecodeOptions(xTrans: .mosaic, unpacker: .libRaw))
    }

    func decode(frame: Int = 0, _ options: DecodeOptions) throws(DecodeError) -> SensorImage {
        try unsafe FrameDecoder(Frame(frame, of: bytes, limits: limits), options).decode(limits: limits)
    }

    /// The size of the whole sensor, margins included, which no picture of the frame exceeds.
    ///
    /// - Throws: what `init` throws.
    public func sensorSize(frame: Int = 0) throws(DecodeError) -> PixelSize {
        try unsafe Frame(frame, of: bytes, limits: limits).sensorSize
    }

    /// The names that profiles can have for the camera, the most exact first: a DNG's own, what the camera writes, and what
    /// all models of it have in common.
    ///
    /// - Throws: what `init` throws.
    public func cameraNames(frame: Int = 0) throws(DecodeError) -> [String] {
        try unsafe Frame(frame, of: bytes, limits: limits).cameraNames
    }

    /// The picture the camera embedded; nil where there is none or it is damaged.
    ///
    /// - Throws: what `init` throws.
    public func embeddedPreview(frame: Int = 0) throws(DecodeError) -> EmbeddedPreview? {
        try unsafe Frame(frame, of: bytes, limits: limits).embeddedPreview(limits: limits)
    }

    /// The first picture of the file.
    func firstFrame() throws(DecodeError) -> Frame { try unsafe Frame(0, of: bytes, limits: limits) }

    /// The embedded pictures that can be read in a few milliseconds, the best to compare with first: usually the thumbnail.
    ///
    /// - Throws: what `init` throws.
    public func smallPreviews(frame: Int = 0) throws(DecodeError) -> SmallPreviews {
        try unsafe Frame(frame, of: bytes, limits: limits).smallPreviews(limits: limits)
    }
}

/// What to return for Fujifilm's X-Trans sensors.
public enum XTransDelivery: Hashable, Sendable {
    /// The sensor's own samples.
    case mosaic
    /// Three linear colours a pixel, interpolated by LibRaw.
    case interpolated
}
