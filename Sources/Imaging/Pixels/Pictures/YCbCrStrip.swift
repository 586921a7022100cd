public import PictureFormat

/// Some rows of an upright Y′CbCr picture with 8 bits per sample, in borrowed memory, for JPEGs.
///
/// The owner of the memory decides how long the pointers are valid: for `StripSink.write` during the call, for
/// `OutputImage.strip` while the picture lives.
///
/// `@unchecked Sendable`: the strips of a picture share no samples, and each is used by one thread at a time while the
/// owner of the memory waits.
@safe public struct YCbCrStrip: @unchecked Sendable {
    /// The strip's number, counted from the top of the picture.
    public let index: Int
    /// Size of the whole picture, in pixels.
    public let picture: PixelSize
    /// Size of the chroma rows relative to the luma rows.
    public let subsampling: ChromaSubsampling
    /// The strip's first luma sample. A strip of odd width or height has a spare column or row after its samples.
    public let luma: UnsafeMutablePointer<UInt8>
    /// The strip's first blue-difference sample.
    public let cb: UnsafeMutablePointer<UInt8>
    /// The strip's first red-difference sample.
    public let cr: UnsafeMutablePointer<UInt8>
    /// Distance of luma rows, in samples.
    public let lumaStride: Int
    /// Distance of chroma rows, in samples.
    public let chromaStride: Int
    /// Width and height of the strip, in pixels.
    public let size: PixelSize

    /// Whether the strip contains the picture's last row.
    public var isLast: Bool { index == PictureStrip.count(picture) - 1 }

    /// Repeats the last column and row of an odd size into the spare samples, because encoders read the luma plane of a
    /// subsampled picture in pairs.
    public func padToEvenSize() {
        guard subsampling == .quarter else { return }
        padToEvenWidth()
        if size.height % 2 == 1 {
            let last = unsafe luma + (size.height - 1) * lumaStride
            unsafe (last + lumaStride).update(from: last, count: size.width + size.width % 2)
        }
    }

    /// Repeats the last luma column of an odd width into the spare samples.
    public func padToEvenWidth() {
        guard size.width % 2 == 1 else { return }
        for y in 0..<size.height {
            unsafe luma[y * lumaStride + size.width] = unsafe luma[y * lumaStride + size.width - 1]
        }
    }
}

extension OutputImage {
    /// The whole picture as one strip; valid while the picture lives.
    public var asOneStrip: YCbCrStrip { strip(0, of: size, at: 0, height: size.height) }

    /// One of the picture's strips; valid while the picture lives.
    ///
    /// - Parameter index: 0 to `PictureStrip.count(size) - 1`.
    public func strip(_ index: Int) -> YCbCrStrip {
        let first = index * PictureStrip.rows
        return strip(index, of: size, at: first, height: min(PictureStrip.rows, size.height - first))
    }

    /// Rows of this picture as a strip of a larger one; valid while this picture lives.
    ///
    /// - Parameters:
    ///   - index: the strip's number in the larger picture.
    ///   - picture: size of the larger picture.
    ///   - first: this picture's luma row that begins the strip; even if chroma is subsampled.
    ///   - height: rows of the strip.
    public func strip(_ index: Int, of picture: PixelSize, at first: Int, height: Int) -> YCbCrStrip {
        let chromaRow = subsampling == .quarter ? first / 2 : first
        return unsafe YCbCrStrip(
            index: index, picture: picture, subsampling: subsampling, luma: luma.row(first), cb: cb.row(chromaRow),
            cr: cr.row(chromaRow), lumaStride: luma.strideSamples, chromaStride: cb.strideSamples,
            size: PixelSize(width: size.width, height: height))
    }
}
