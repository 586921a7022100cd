public import PictureFormat

/// Some rows of an upright Y′CbCr picture, in memory that is somebody else's: what goes from developing to encoding
/// while the rest of the picture is not made yet.
///
/// `@unchecked Sendable`: the strips of a picture share no samples, and each is used by one thread at a time while the
/// owner of the memory waits.
public struct PictureStrip: @unchecked Sendable {
    /// Rows of a strip; the last one of a picture may be lower. Its samples and what it was made of stay in a
    /// processor's second cache.
    public static let rows = 64

    /// From the top of the picture, counted in strips.
    public let index: Int
    public let picture: PixelSize
    public let subsampling: ChromaSubsampling
    /// The strip's first samples. A strip of odd width or height has a spare column or row behind its samples.
    public let luma: UnsafeMutablePointer<UInt8>
    public let cb: UnsafeMutablePointer<UInt8>
    public let cr: UnsafeMutablePointer<UInt8>
    public let lumaStride: Int
    public let chromaStride: Int
    public let size: PixelSize

    /// How many strips a picture has.
    public static func count(_ picture: PixelSize) -> Int { (picture.height + rows - 1) / rows }

    /// True for the strip with the picture's last row.
    public var isLast: Bool { index == Self.count(picture) - 1 }

    /// Repeats an odd edge into the spare samples beyond it, which are nobody's pixels: encoders read the luma plane of
    /// a subsampled picture in pairs.
    public func completePairs() {
        guard subsampling == .quarter else { return }
        if size.width % 2 == 1 {
            for y in 0..<size.height { luma[y * lumaStride + size.width] = luma[y * lumaStride + size.width - 1] }
        }
        if size.height % 2 == 1 {
            let last = luma + (size.height - 1) * lumaStride
            (last + lumaStride).update(from: last, count: size.width + size.width % 2)
        }
    }
}

extension OutputImage {
    /// The whole picture as one strip; valid while the picture lives.
    public var asOneStrip: PictureStrip { strip(0, of: size, at: 0, height: size.height) }

    /// A strip of the picture; valid while the picture lives.
    public func strip(_ index: Int) -> PictureStrip {
        let first = index * PictureStrip.rows
        return strip(index, of: size, at: first, height: min(PictureStrip.rows, size.height - first))
    }

    /// - Parameters:
    ///   - picture: of which the strip is number `index`.
    ///   - first: the luma row here that is the strip's first.
    public func strip(_ index: Int, of picture: PixelSize, at first: Int, height: Int) -> PictureStrip {
        let chromaRow = subsampling == .quarter ? first / 2 : first
        return PictureStrip(
            index: index, picture: picture, subsampling: subsampling, luma: luma.row(first), cb: cb.row(chromaRow),
            cr: cr.row(chromaRow), lumaStride: luma.strideSamples, chromaStride: cb.strideSamples,
            size: PixelSize(width: size.width, height: height))
    }
}

/// Takes the strips of a picture: each once, in no promised order, on several threads at once.
public protocol StripTaker: AnyObject, Sendable {
    /// - Parameter strip: valid during the call.
    func take(_ strip: PictureStrip)
}
