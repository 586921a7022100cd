public import Metadata
public import PictureFormat
public import Pixels

/// One RAW, identified and ready to decode. For one thread at a time.
///
/// The caller owns the bytes and keeps them unchanged in place while the value lives. A file that shrinks under a
/// memory mapping ends the process.
@safe public struct RawFile: ~Copyable {
    /// Number of pictures in the file; at least 1.
    public let frameCount: Int
    private let bytes: UnsafeRawBufferPointer
    let limits: DecodeLimits

    /// Reads the header: camera, size and number of frames.
    ///
    /// - Throws: `notRaw`, `unsupportedCamera`, `corrupt`, `tooLarge` or `outOfMemory`.
    public init(bytes: UnsafeRawBufferPointer, limits: DecodeLimits = .standard) throws(DecodeError) {
        try limits.check(fileBytes: bytes.count)
        let frameCount = try unsafe Frame(0, of: bytes, limits: limits).count
        unsafe self.bytes = unsafe bytes
        self.limits = limits
        self.frameCount = frameCount
    }

    /// Reads the metadata of one picture.
    ///
    /// - Throws: the errors of `init`.
    public func metadata(frame: Int = 0) throws(DecodeError) -> SourceMetadata {
        try unsafe FrameMetadataReader(Frame(frame, of: bytes, limits: limits)).metadata()
    }

    /// Decompresses one picture.
    ///
    /// - Parameters:
    ///   - frame: index of the picture, from 0.
    ///   - xTrans: form of the result for Fujifilm's X-Trans sensors.
    ///   - threads: maximum number of threads. The samples do not depend on it.
    ///   - profile: camera profile; nil for the file's own colours.
    /// - Throws: the errors of `init`. An incomplete file is `corrupt`; a partial picture is never returned.
    public func decode(
        frame: Int = 0, xTrans: XTransDelivery = .interpolated, threads: Int = 1,
        profile: CameraProfileFile? = nil
    ) throws(DecodeError) -> SensorImage {
        try decode(frame: frame, DecodeOptions(xTrans: xTrans, threads: threads, profile: profile))
    }

    /// Decodes with LibRaw only, as a reference for our unpackers.
    package func decodeByLibRaw() throws(DecodeError) -> SensorImage {
        try decode(DecodeOptions(xTrans: .mosaic, unpacker: .libRaw))
    }

    func decode(frame: Int = 0, _ options: DecodeOptions) throws(DecodeError) -> SensorImage {
        try unsafe FrameDecoder(Frame(frame, of: bytes, limits: limits), options).decode(limits: limits)
    }

    /// Size of the whole sensor with margins; no picture of the frame is larger.
    ///
    /// - Throws: the errors of `init`.
    public func sensorSize(frame: Int = 0) throws(DecodeError) -> PixelSize {
        try unsafe Frame(frame, of: bytes, limits: limits).sensorSize
    }

    /// Names under which profiles may list the camera, most exact first: the DNG's name, the camera's name, and the
    /// model's common name.
    ///
    /// - Throws: the errors of `init`.
    public func cameraNames(frame: Int = 0) throws(DecodeError) -> [String] {
        try unsafe Frame(frame, of: bytes, limits: limits).cameraNames
    }

    /// The embedded picture; nil if absent or damaged.
    ///
    /// - Throws: the errors of `init`.
    public func embeddedPreview(frame: Int = 0) throws(DecodeError) -> EmbeddedPreview? {
        try unsafe Frame(frame, of: bytes, limits: limits).embeddedPreview(limits: limits)
    }

    func firstFrame() throws(DecodeError) -> Frame { try unsafe Frame(0, of: bytes, limits: limits) }

    /// Embedded pictures that take only a few milliseconds to read, best for comparison first: usually the thumbnail.
    ///
    /// - Throws: the errors of `init`.
    public func smallPreviews(frame: Int = 0) throws(DecodeError) -> SmallPreviews {
        try unsafe Frame(frame, of: bytes, limits: limits).smallPreviews(limits: limits)
    }
}

/// Form of the result for Fujifilm's X-Trans sensors.
public enum XTransDelivery: Hashable, Sendable {
    /// Samples of the sensor.
    case mosaic
    /// Three linear colours per pixel, interpolated by LibRaw.
    case interpolated
}
