public import Decode

/// What a worker allows a render, beside the job itself. None of it changes a byte of a rendition,
/// but `isNull`.
public struct RenderSettings: Sendable {
    public var limits: DecodeLimits
    /// Threads for one photo; 1 where every core has a render process of its own.
    public var threads: Int
    /// True renders nothing: every photo is a tiny grey picture. For measuring what all the rest can carry.
    public var isNull = false

    public init(limits: DecodeLimits = .standard, threads: Int = 1) {
        self.limits = limits
        self.threads = threads
    }

    /// Larger sensors are refused before they are unpacked. Raising it raises what goes with it: four bytes a pixel are
    /// an uncompressed file of 16 bits with its previews, eight what LibRaw holds while it unpacks one.
    public var maxPixels: Int {
        get { limits.pixels }
        set {
            limits.pixels = newValue
            limits.fileBytes = max(limits.fileBytes, newValue * 4)
            limits.memoryBytes = max(limits.memoryBytes, newValue * 8)
        }
    }

    /// The same, but a file is no larger than the memory a render may take, and its samples not much: they could not be
    /// held, and memory that cannot be had ends the process. What is only a little too large is left to who watches.
    public func within(memoryBytes: UInt64) -> RenderSettings {
        var settings = self
        let memory = Int(clamping: min(memoryBytes, UInt64(Int.max / 2)))
        settings.limits.fileBytes = min(limits.fileBytes, memory)
        settings.limits.memoryBytes = min(limits.memoryBytes, memory + Self.mostBeyond)
        return settings
    }

    /// Half of what a render process's address space has beyond twice the memory.
    private static let mostBeyond = 512 << 20

    /// The same in plain numbers, for those who only pass them on.
    ///
    /// - Parameters:
    ///   - pixels: most of a sensor, margins included.
    ///   - fileBytes: most of a file.
    ///   - sampleBytes: most memory the decoder may take at once for samples.
    public init(pixels: Int, fileBytes: Int, sampleBytes: Int, threads: Int) {
        self.init(
            limits: DecodeLimits(pixels: pixels, fileBytes: fileBytes, memoryBytes: sampleBytes), threads: threads)
    }

    public var pixels: Int { limits.pixels }
    public var fileBytes: Int { limits.fileBytes }
    public var sampleBytes: Int { limits.memoryBytes }

    /// Longer edge of a preview, in pixels.
    public static let previewEdge = 2048
    /// JPEG quality of a preview.
    public static let previewQuality = 85
    /// Longer edge of the thumbnail inside EXIF, in pixels.
    public static let thumbnailEdge = 160
    public static let thumbnailQuality = 75
}
