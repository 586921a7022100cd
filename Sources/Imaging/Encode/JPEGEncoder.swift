public import PictureFormat
public import Pixels

/// Turns upright Y′CbCr pictures into JPEG files, one after another, with one warm compressor and one buffer.
///
/// The same picture, quality and segments give the same bytes, whatever was encoded before. The JFIF segment the
/// library writes is left out: EXIF must stand first (CIPA DC-008), and says all that JFIF does.
public struct JPEGEncoder: ~Copyable {
    private let turbo: TurboHandle
    private let profiles: ICCProfiles
    private var buffer = OutputBuffer()
    /// The last file, in the buffer or among the strips.
    private var encoded = UnsafeRawBufferPointer(start: nil, count: 0)
    private let strips = StripEncoder()

    public init(profiles: ICCProfiles) throws(EncodeError) {
        turbo = try TurboHandle()
        self.profiles = profiles
    }

    /// Encodes one picture; the file's bytes stay in the encoder until the next call.
    ///
    /// - Parameter quality: 1…100, libjpeg's scale.
    public mutating func encode(
        _ image: borrowing OutputImage, quality: Int, segments: JPEGSegments
    ) throws(EncodeError) {
        try encode(image.asOneStrip, image.colourSpace, quality: quality, segments: segments)
    }

    /// The same for a picture whose owner sees to it that it lives, and stays as it is, until this returns.
    ///
    /// - Parameter picture: all of it in one strip.
    public mutating func encode(
        _ picture: PictureStrip, _ colourSpace: ColourSpace, quality: Int, segments: JPEGSegments
    ) throws(EncodeError) {
        encoded = UnsafeRawBufferPointer(start: nil, count: 0)
        let size = picture.size
        guard (1...100).contains(quality) else { throw .qualityOutOfRange(quality) }
        guard size.width <= 65_500, size.height <= 65_500 else { throw .tooLarge(size) }
        let header = try header(segments, colourSpace)
        let bound = try TurboHandle.worstCase(size, picture.subsampling)
        let base = try buffer.reserve(header.count + bound)
        let byteCount = try turbo.compress(picture, quality: quality, output: base + header.count)
        let file = try Self.replaceHead(base, header: header, byteCount: byteCount)
        encoded = UnsafeRawBufferPointer(start: base + file.lowerBound, count: file.count)
    }

    /// Begins a picture that comes in strips while it is made: they are to be given to what is returned, and then
    /// `finish` called. Other pictures may be encoded between.
    ///
    /// - Parameter quality: 1…100, libjpeg's scale.
    public mutating func begin(quality: Int) throws(EncodeError) -> StripEncoder {
        encoded = UnsafeRawBufferPointer(start: nil, count: 0)
        guard (1...100).contains(quality) else { throw .qualityOutOfRange(quality) }
        strips.begin(quality: quality)
        return strips
    }

    /// Ends the picture that came in strips; the file's bytes stay in the encoder until the next call.
    public mutating func finish(_ colourSpace: ColourSpace, segments: JPEGSegments) throws(EncodeError) {
        encoded = UnsafeRawBufferPointer(start: nil, count: 0)
        encoded = try strips.join(try header(segments, colourSpace), spare: &buffer)
    }

    private func header(_ segments: JPEGSegments, _ colourSpace: ColourSpace) throws(EncodeError) -> [UInt8] {
        try segments.header(profile: segments.isTagged ? profiles[colourSpace] : nil)
    }

    /// Reads the last encoded file without a copy; empty before the first one.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(encoded)
    }

    /// Size of the last encoded file, in bytes.
    public var byteCount: Int { encoded.count }

    /// A copy of the last encoded file, for small ones such as thumbnails.
    public func copyBytes() -> [UInt8] {
        withBytes { Array($0) }
    }

    /// Puts our SOI and segments where the library's SOI and JFIF segment ended, so that the file is one run of bytes.
    ///
    /// - Returns: the file's place in the buffer.
    private static func replaceHead(
        _ base: UnsafeMutableRawPointer, header: [UInt8], byteCount: Int
    ) throws(EncodeError) -> Range<Int> {
        let image = UnsafeRawBufferPointer(start: base + header.count, count: byteCount)
        guard byteCount > 6, image[0] == 0xFF, image[1] == 0xD8 else { throw .encoderFailed("it wrote no JPEG") }
        var skipped = 2
        if image[2] == 0xFF, image[3] == 0xE0 { skipped += 2 + Int(image[4]) << 8 + Int(image[5]) }
        guard skipped < byteCount else { throw .encoderFailed("it wrote no JPEG") }
        (base + skipped).copyMemory(from: header, byteCount: header.count)
        return skipped..<(header.count + byteCount)
    }
}
