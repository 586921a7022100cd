import Glibc
import PictureFormat
import Pixels

/// A 10-bit Y′CbCr 4:4:4 picture in full range (ITU-R BT.601-7, 2.5; H.273, matrix coefficients 6).
///
/// `@unchecked Sendable`: each strip is filled once by one thread; the planes are read after all strips have arrived.
@safe final class YCbCr10Planes: @unchecked Sendable {
    let size: PixelSize
    /// Rows without gaps in all planes.
    let y: UnsafeMutablePointer<UInt16>
    let cb: UnsafeMutablePointer<UInt16>
    let cr: UnsafeMutablePointer<UInt16>

    /// - Throws: `tooLargeForFormat` unless each side has 1…65,536 pixels; `outOfMemory`.
    init(_ size: PixelSize) throws(EncodeError) {
        guard (1...65_536).contains(size.width), (1...65_536).contains(size.height) else {
            throw .tooLargeForFormat(size)
        }
        self.size = size
        let count = size.width * size.height
        guard let memory = unsafe malloc(6 * count) else { throw .outOfMemory(bytes: 6 * count) }
        unsafe y = memory.bindMemory(to: UInt16.self, capacity: 3 * count)
        unsafe cb = y + count
        unsafe cr = cb + count
    }

    deinit { unsafe free(y) }

    /// Converts a strip. Each sample is rounded once; only IEEE operations are used, so that all processors agree.
    func fill(_ strip: RGBStrip) {
        let width = size.width
        let scale: Float = 1023 / 65_535
        let (red, green, blue) = (0.299 * scale, 0.587 * scale, 0.114 * scale)
        let (toCb, toCr): (Float, Float) = (1 / 1.772, 1 / 1.402)
        for row in 0..<strip.height {
            let from = unsafe strip.samples + row * strip.strideSamples
            let start = (strip.index * PictureStrip.rows + row) * width
            let (y, cb, cr) = unsafe (y + start, cb + start, cr + start)
            for x in 0..<width {
                let (r, g, b) = unsafe (Float(from[3 * x]), Float(from[3 * x + 1]), Float(from[3 * x + 2]))
                let luma = r * red + g * green + b * blue
                // Adding half a step makes truncation round. Values stay within 0…1,023.5 (Cb and Cr of pure colours
                // reach 1,023.5).
                unsafe y[x] = UInt16(luma + 0.5)
                unsafe cb[x] = min(UInt16((b * scale - luma) * toCb + 512.5), 1023)
                unsafe cr[x] = min(UInt16((r * scale - luma) * toCr + 512.5), 1023)
            }
        }
    }
}
