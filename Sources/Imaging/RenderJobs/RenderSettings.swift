public import PictureFormat

/// A worker's settings for rendering. Except for `isNull`, they do not affect the bytes of renditions: a reused photo
/// has the same bytes as one developed again.
public struct RenderSettings: Sendable {
    /// Limits above which files and sensors are refused.
    public var limits: DecodeLimits
    /// Threads per photo; 1 if every core has its own render process.
    public var threads: Int
    /// Whether every photo is a tiny grey placeholder, for measuring everything but rendering.
    public var isNull = false
    /// Whether the library's photo of the same RAW bytes, recipe and engine is reused.
    public var reusesPhotos = false

    /// Memory limit of a render; nil for none. Encoders of whole pictures check it.
    public private(set) var memoryBytes: Int?

    /// Creates settings from limits and threads.
    public init(limits: DecodeLimits = .standard, threads: Int = 1) {
        self.limits = limits
        self.threads = threads
    }

    /// Pixels of the largest sensor. Raising it raises the other limits: an uncompressed 16-bit file with its previews
    /// takes four bytes per pixel, and LibRaw takes eight while unpacking.
    public var maxPixels: Int {
        get { limits.pixels }
        set {
            limits.pixels = newValue
            limits.fileBytes = max(limits.fileBytes, newValue * 4)
            limits.memoryBytes = max(limits.memoryBytes, newValue * 8)
        }
    }

    /// The settings for a render process with a memory limit. No file may exceed that memory, and no samples exceed it
    /// by much, because a failed allocation would end the process. The supervisor handles small excesses.
    public func within(memoryBytes: UInt64) -> RenderSettings {
        var settings = self
        let memory = Int(clamping: min(memoryBytes, UInt64(Int.max / 2)))
        settings.memoryBytes = memory
        settings.limits.fileBytes = min(limits.fileBytes, memory)
        settings.limits.memoryBytes = min(limits.memoryBytes, memory + Self.maxExcessBytes)
        return settings
    }

    /// Half of a render process's address space beyond twice the memory limit.
    private static let maxExcessBytes = 512 << 20

    /// Creates settings from plain numbers, for modules that only pass them on.
    ///
    /// - Parameters:
    ///   - pixels: of the largest sensor, margins included.
    ///   - fileBytes: of the largest file.
    ///   - sampleBytes: maximum memory of the decoder for samples.
    ///   - threads: threads per photo.
    public init(pixels: Int, fileBytes: Int, sampleBytes: Int, threads: Int) {
        self.init(
            limits: DecodeLimits(pixels: pixels, fileBytes: fileBytes, memoryBytes: sampleBytes), threads: threads)
    }

    /// Pixels of the largest sensor, margins included.
    public var pixels: Int { limits.pixels }
    /// Bytes of the largest file.
    public var fileBytes: Int { limits.fileBytes }
    /// Maximum memory of the decoder for samples, in bytes.
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
