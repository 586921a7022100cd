import Glibc
import PictureFormat
import Pixels

/// A whole picture of R′G′B′ with 16 bits per channel.
///
/// `@unchecked Sendable`: each strip is filled once by one thread; the samples are read after all strips have arrived.
@safe final class RGBPicture: @unchecked Sendable {
    let size: PixelSize
    /// Three per pixel, rows without gaps; nil once freed.
    private(set) var samples: UnsafeMutablePointer<UInt16>?

    /// - Throws: `tooLargeForFormat` unless each side has 1…65,536 pixels; `outOfMemory`.
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

    func fill(_ strip: RGBStrip) {
        guard let samples = unsafe samples else { return }
        let width = 3 * size.width
        for row in 0..<strip.height {
            unsafe (samples + (strip.index * PictureStrip.rows + row) * width)
                .update(from: strip.samples + row * strip.strideSamples, count: width)
        }
    }

    /// Frees the samples early.
    func free() {
        unsafe Glibc.free(samples)
        unsafe samples = nil
    }
}
