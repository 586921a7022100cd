import Metadata
public import PictureFormat
public import Pixels

/// Encodes upright Y′CbCr pictures as JPEG files, with one reused buffer.
///
/// The same picture, quality and segments give the same bytes, independent of earlier pictures. TurboJPEG's JFIF
/// segment is removed: EXIF must come first (CIPA DC-008) and contains the same information.
@safe public struct JPEGEncoder: ~Copyable {
    private let profiles: ICCProfiles
    private var buffer = OutputBuffer()
    /// The last file. `buffer` owns its memory and is written only by mutating methods.
    private var encoded = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private let coder = PlaneCoder()

    /// - Parameter profiles: of all output spaces.
    public init(profiles: ICCProfiles) { self.profiles = profiles }

    /// Encodes one picture. The file stays in memory until the next call.
    ///
    /// - Parameters:
    ///   - image: at most 65,500 pixels a side.
    ///   - quality: 1…100, libjpeg's scale.
    ///   - segments: written before the image data.
    /// - Throws: `EncodeError`; the encoder then holds no file.
    public mutating func encode(
        _ image: borrowing OutputImage, quality: Int, segments: JPEGSegments
    ) throws(EncodeError) {
        try encode(image.asOneStrip, image.colourSpace, quality: quality, segments: segments)
    }

    /// Encodes one picture from a single strip.
    ///
    /// - Parameters:
    ///   - picture: the whole picture; must stay alive and unchanged until this returns.
    ///   - colourSpace: the RGB space of its values.
    ///   - quality: 1…100, libjpeg's scale.
    ///   - segments: written before the image data.
    /// - Throws: `EncodeError`; the encoder holds no file then.
    public mutating func encode(
        _ picture: YCbCrStrip, _ colourSpace: ColourSpace, quality: Int, segments: JPEGSegments
    ) throws(EncodeError) {
        unsafe encoded = UnsafeRawBufferPointer(start: nil, count: 0)
        let size = picture.size
        guard (1...100).contains(quality) else { throw .qualityOutOfRange(quality) }
        guard size.width <= 65_500, size.height <= 65_500 else { throw .tooLarge(size) }
        let header = try header(segments, colourSpace)
        let planes = JPEGPlanes(picture)
        // Metadata precede the data, with tables and headers of less than a kilobyte.
        let capacity = header.count + 1024
        let bound = try capacity + TurboHandle.worstCase(size, planes.subsampling) + PlaneCoder.slack
        let memory = unsafe UnsafeMutableRawBufferPointer(start: try buffer.reserve(bound), count: bound)
        let (head, byteCount) = try unsafe coder.code(
            planes, quality: quality, into: UnsafeMutableRawBufferPointer(rebasing: memory[capacity...]))
        let start = header + head.whole(size)
        guard start.count <= capacity else { throw .encoderFailed("it wrote no JPEG") }
        let file = capacity - start.count..<capacity + byteCount
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[file]).copyBytes(from: start)
        unsafe encoded = UnsafeRawBufferPointer(rebasing: memory[file])
    }

    private func header(_ segments: JPEGSegments, _ colourSpace: ColourSpace) throws(EncodeError) -> [UInt8] {
        try segments.header(profile: segments.isTagged ? profiles[colourSpace] : nil)
    }

    /// Lends the last encoded file; empty before the first one.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(encoded)
    }

    /// Size of the last encoded file, in bytes.
    public var byteCount: Int { unsafe encoded.count }

    /// A copy of the last encoded file. For small files such as thumbnails.
    public func copyBytes() -> [UInt8] {
        unsafe withBytes { unsafe Array($0) }
    }

    /// Writes our SOI and segments directly before the data, over TurboJPEG's SOI and JFIF segment.
    ///
    /// - Returns: the file's range in the buffer.
    static func replaceHead(
        _ base: UnsafeMutableRawPointer, header: [UInt8], byteCount: Int
    ) throws(EncodeError) -> Range<Int> {
        let image = unsafe UnsafeRawBufferPointer(start: base + header.count, count: byteCount)
        guard byteCount > 6, unsafe image[0] == 0xFF, unsafe image[1] == 0xD8 else {
            throw .encoderFailed("it wrote no JPEG")
        }
        var skipped = 2
        if unsafe image[2] == 0xFF, unsafe image[3] == 0xE0 { unsafe skipped += 2 + Int(image[4]) << 8 + Int(image[5]) }
        guard skipped < byteCount else { throw .encoderFailed("it wrote no JPEG") }
        unsafe (base + skipped).copyMemory(from: header, byteCount: header.count)
        return skipped..<(header.count + byteCount)
    }
}
