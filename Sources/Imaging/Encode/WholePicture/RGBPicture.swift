import Glibc
import PictureFormat
import Pixels

/// A whole picture of R′G′B′ with 16 bits per channel.
///
/// `@unchecked Sendable`: each strip is filled once, by one thread, and the samples are read when all have come.
@safe final class RGBPicture: @unchecked Sendable {
    /// Width and height, in pixels.
    let size: PixelSize
    /// Three for each pixel, rows without gaps; nil when they were freed.
    private(set) var samples: UnsafeMutablePointer<UInt16>?

    /// - Throws: `tooLargeForFormat` for a picture that is empty or has a side of more than 65,536 pixels,
    ///   `outOfMemory`.
    init(_ size: PixelSize) throws(EncodeError) {
        guard (1...65_536).contains(size.width), (1...65_536).contains(size.height) else {
            throw .tooLargeForFormat(size)
        }
        self.size = size
        let byteCount = 6 * size.width * size.height
        guard let memory = unsafe malloc(byteCount) else { throw .outOfMemory(bytes: byteCount) }
        unsafe samples = memory.bindMemory(to: UInt16.self, capacity: byteCount / 2)
    }

    deinit { free() }

    /// Copies a strip of this picture.
    func fill(_ strip: RGBStrip) {
        guard let samples = unsafe samples else { return }
        let width = 3 * size.width
        for row in 0..<strip.height {
            unsafe (samples + (strip.index * PictureStrip.rows + row) * width)
                .update(from: strip.samples + row * strip.strideSamples, count: width)
        }
    }

    /// Gives the memory back before the picture's end.
    func free() {
        unsafe Glibc.free(samples)
        unsafe samples = nil
    }
}
