/// Limits for a RAW file. Its header is checked against them before any sample is decompressed.
public struct DecodeLimits: Hashable, Sendable {
    /// Pixels of the whole sensor, margins included.
    public var pixels: Int
    /// The file's size in bytes.
    public var fileBytes: Int
    /// The decoder's memory for samples, in bytes.
    public var memoryBytes: Int

    /// The standard limits, except for the given ones.
    public init(pixels: Int = 300_000_000, fileBytes: Int = 1 << 30, memoryBytes: Int = 2 << 30) {
        self.pixels = pixels
        self.fileBytes = fileBytes
        self.memoryBytes = memoryBytes
    }

    /// 300 megapixels, files of 1 GiB, memory of 2 GiB.
    public static let standard = DecodeLimits()

    /// The limit for packed camera profiles, in bytes. Those of all cameras of a maker are smaller.
    public static let cameraProfileBytes = 128 << 20
}
