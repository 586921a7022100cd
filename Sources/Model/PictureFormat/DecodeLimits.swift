/// The most that a RAW file may take. Checked by its header, before any sample is decompressed.
public struct DecodeLimits: Hashable, Sendable {
    /// Pixels of the whole sensor, margins included.
    public var pixels: Int
    /// Bytes of the file.
    public var fileBytes: Int
    /// Bytes of memory the decoder may take at once for samples.
    public var memoryBytes: Int

    /// The standard limits, but for those given.
    public init(pixels: Int = 300_000_000, fileBytes: Int = 1 << 30, memoryBytes: Int = 2 << 30) {
        self.pixels = pixels
        self.fileBytes = fileBytes
        self.memoryBytes = memoryBytes
    }

    /// 300 megapixels, files of 1 GiB, memory of 2 GiB.
    public static let standard = DecodeLimits()

    /// Bytes of packed camera profiles. Those of all cameras of a maker have less.
    public static let cameraProfileBytes = 128 << 20
}
