import PictureFormat
import Pixels

/// The planes of a picture, or of a strip, as TurboJPEG reads them. Valid as long as their memory is.
@safe struct JPEGPlanes {
    let luma: UnsafeMutablePointer<UInt8>
    let cb: UnsafeMutablePointer<UInt8>
    let cr: UnsafeMutablePointer<UInt8>
    let lumaStride: Int
    let chromaStride: Int
    /// Width and height in pixels.
    let size: PixelSize
    /// Never `auto`.
    let subsampling: JPEGSubsampling

    /// A picture whose planes are all the same samples.
    ///
    /// - Parameter samples: as many as pixels, of which the colour differences have as many or fewer.
    init(grey samples: UnsafeMutablePointer<UInt8>, size: PixelSize, subsampling: JPEGSubsampling) {
        unsafe (luma, cb, cr) = (samples, samples, samples)
        (lumaStride, chromaStride) = (size.width, size.width)
        self.size = size
        self.subsampling = subsampling
    }

    /// The planes of a strip. Its spare samples are written.
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

    /// A strip with one colour sample per pixel, of which each two of a row become one.
    ///
    /// - Parameter chroma: has the memory for them.
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

/// Memory for the colour samples of strips after each two of a row have become one.
@safe final class HalvedChroma {
    private var memory: UnsafeMutableBufferPointer<UInt8> = unsafe .init(start: nil, count: 0)

    deinit { unsafe memory.deallocate() }

    /// Samples from one row to the next.
    func stride(_ size: PixelSize) -> Int { (size.width + 1) / 2 }

    /// - Parameter strip: with one colour sample per pixel.
    /// - Returns: blue and red difference; valid until the next strip.
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

    /// The mean of two samples, rounded down and up in turn, so that a plane's mean stays what it was (libjpeg's
    /// `h2v1_downsample`, T. G. Lane, 1991). A column without a partner is repeated.
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
