import PictureFormat
import Pixels

/// The planes of a picture or strip in TurboJPEG's layout. They borrow their memory.
@safe struct JPEGPlanes {
    let luma: UnsafeMutablePointer<UInt8>
    let cb: UnsafeMutablePointer<UInt8>
    let cr: UnsafeMutablePointer<UInt8>
    let lumaStride: Int
    let chromaStride: Int
    let size: PixelSize
    /// Never `auto`.
    let subsampling: JPEGSubsampling

    /// A picture that uses the same samples for all planes.
    ///
    /// - Parameter samples: one per pixel; the chroma planes may use fewer.
    init(grey samples: UnsafeMutablePointer<UInt8>, size: PixelSize, subsampling: JPEGSubsampling) {
        unsafe (luma, cb, cr) = (samples, samples, samples)
        (lumaStride, chromaStride) = (size.width, size.width)
        self.size = size
        self.subsampling = subsampling
    }

    /// Writes the padding samples of the strip.
    init(_ strip: YCbCrStrip) {
        strip.padToEvenSize()
        unsafe luma = strip.luma
        unsafe cb = strip.cb
        unsafe cr = strip.cr
        lumaStride = strip.lumaStride
        chromaStride = strip.chromaStride
        size = strip.size
        subsampling = strip.subsampling == .quarter ? .quarter : .full
    }

    /// Halves the chroma of a strip with one chroma sample per pixel.
    ///
    /// - Parameter chroma: memory for the result.
    init(halving strip: YCbCrStrip, in chroma: HalvedChroma) {
        strip.padToEvenWidth()
        unsafe luma = strip.luma
        lumaStride = strip.lumaStride
        size = strip.size
        subsampling = .half
        unsafe (cb, cr) = chroma.halve(strip)
        chromaStride = chroma.stride(strip.size)
    }
}

@safe final class HalvedChroma {
    private var memory: UnsafeMutableBufferPointer<UInt8> = unsafe .init(start: nil, count: 0)

    deinit { unsafe memory.deallocate() }

    func stride(_ size: PixelSize) -> Int { (size.width + 1) / 2 }

    /// - Parameter strip: one chroma sample per pixel.
    /// - Returns: Cb and Cr; valid until the next call.
    func halve(_ strip: YCbCrStrip) -> (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) {
        let count = stride(strip.size) * strip.size.height
        if unsafe memory.count < 2 * count {
            unsafe memory.deallocate()
            unsafe memory = .allocate(capacity: 2 * count)
        }
        let start = unsafe memory.baseAddress.unsafelyUnwrapped
        unsafe halve(strip.cb, strip, into: start)
        unsafe halve(strip.cr, strip, into: start + count)
        return unsafe (start, start + count)
    }

    /// Averages pairs of samples, rounding down and up alternately to keep the plane's mean (libjpeg's
    /// `h2v1_downsample`, T. G. Lane, 1991). Repeats the last column of an odd width.
    private func halve(
        _ samples: UnsafeMutablePointer<UInt8>, _ strip: YCbCrStrip, into target: UnsafeMutablePointer<UInt8>
    ) {
        let width = strip.size.width
        for y in 0..<strip.size.height {
            let row = unsafe samples + y * strip.chromaStride
            let result = unsafe target + y * stride(strip.size)
            for x in 0..<width / 2 {
                unsafe result[x] = UInt8(
                    truncatingIfNeeded: (UInt16(row[2 * x]) &+ UInt16(row[2 * x + 1]) &+ UInt16(x & 1)) / 2)
            }
            if width % 2 == 1 { unsafe result[width / 2] = row[width - 1] }
        }
    }
}
