public import PictureFormat

/// A worker's settings for renders, in addition to the job. Except for `isNull`, nothing here changes a byte of a
/// rendition: a photo that is taken from the library has the bytes that developing it again would give it.
public struct RenderSettings: Sendable {
    /// What larger files and sensors are refused for.
    public var limits: DecodeLimits
    /// Threads for one photo; 1 if every core has a separate render process.
    public var threads: Int
    /// True renders nothing: every photo is a tiny grey picture. For measuring everything but the picture.
    public var isNull = false
    /// True does not develop a photo again that the library has already: of the same RAW's bytes, recipe and engine.
    public var reusesPhotos = false

    /// All the memory that a render may use, where that is limited: for encoders that need a whole picture at once.
    public private(set) var memoryBytes: Int?

    /// - Parameters:
    ///   - limits: what larger files and sensors are refused for.
    ///   - threads: for one photo.
    public init(limits: DecodeLimits = .standard, threads: Int = 1) {
        self.limits = limits
        self.threads = threads
    }

    /// Pixels of the largest sensor. Raising it raises the other limits with it: an uncompressed file of 16 bits with
    /// its previews takes four bytes per pixel, LibRaw eight while it unpacks one.
    public var maxPixels: Int {
        get { limits.pixels }
        set {
            limits.pixels = newValue
            limits.fileBytes = max(limits.fileBytes, newValue * 4)
            limits.memoryBytes = max(limits.memoryBytes, newValue * 8)
        }
    }

    /// The same settings for a render process of limited memory: no file may be larger than that memory, and its
    /// samples not much larger. They could not be held, and memory that cannot be had ends the process. The supervisor
    /// deals with what is only a little too large.
    public func within(memoryBytes: UInt64) -> RenderSettings {
        var settings = self
        let memory = Int(clamping: min(memoryBytes, UInt64(Int.max / 2)))
        settings.memoryBytes = memory
        settings.limits.fileBytes = min(limits.fileBytes, memory)
        settings.limits.memoryBytes = min(limits.memoryBytes, memory + Self.maxExcessBytes)
        return settings
    }

    /// Half of what a render process's address space has beyond twice the memory.
    private static let maxExcessBytes = 512 << 20

    /// The same in plain numbers, for modules that only pass them on.
    ///
    /// - Parameters:
    ///   - pixels: of the largest sensor, margins included.
    ///   - fileBytes: of the largest file.
    ///   - sampleBytes: memory that the decoder may take at once for samples.
    ///   - threads: for one photo.
    public init(pixels: Int, fileBytes: Int, sampleBytes: Int, threads: Int) {
        self.init(
            limits: DecodeLimits(pixels: pixels, fileBytes: fileBytes, memoryBytes: sampleBytes), threads: threads)
    }

    /// Pixels of the largest sensor, margins included.
    public var pixels: Int { limits.pixels }
    /// Bytes of the largest file.
    public var fileBytes: Int { limits.fileBytes }
    /// Memory that the decoder may take at once for samples.
    public var sampleBytes: Int { limits.memoryBytes }

    /// Longer edge of a preview, in pixels.
    public static let previewEdge = 2048
    /// JPEG quality of a preview.
    public static let previewQuality = 85
    /// Longer edge of the thumbnail inside EXIF, in pixels.
    public static let thumbnailEdge = 160
    /// JPEG quality of the thumbnail.
    public static let thumbnailQuality = 75
}
