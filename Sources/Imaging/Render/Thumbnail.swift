internal import PictureFormat
internal import Pixels

/// Scales a picture down by a whole factor; each pixel is the mean of a block of display-encoded values. In a
/// thumbnail, the difference from linear light would be invisible.
///
/// - Parameters:
///   - image: upright.
///   - edge: maximum of the longer edge, in pixels.
func reduced(_ image: borrowing OutputImage, toLongEdge edge: Int) -> OutputImage {
    let longest = max(image.size.width, image.size.height)
    let factor = max(1, (longest + edge - 1) / edge)
    let size = PixelSize(width: max(1, image.size.width / factor), height: max(1, image.size.height / factor))
    let chromaStep = image.subsampling == .quarter ? 2 : 1
    let chroma = PixelSize(
        width: (size.width + chromaStep - 1) / chromaStep, height: (size.height + chromaStep - 1) / chromaStep)
    return OutputImage(
        luma: reduced(image.luma, by: factor, to: size), cb: reduced(image.cb, by: factor, to: chroma),
        cr: reduced(image.cr, by: factor, to: chroma), subsampling: image.subsampling, colourSpace: image.colourSpace)
}

private func reduced(_ plane: borrowing Plane<UInt8>, by factor: Int, to size: PixelSize) -> Plane<UInt8> {
    let small = Plane<UInt8>(width: size.width, height: size.height)
    var sums = [Int32](repeating: 0, count: plane.width)
    for y in 0..<size.height {
        let first = min(y * factor, plane.height - 1)
        let rows = first..<max(min((y + 1) * factor, plane.height), first + 1)
        unsafe sums.withUnsafeMutableBufferPointer { sums in
            unsafe sums.update(repeating: 0)
            for row in rows { unsafe add(plane.row(row), to: sums) }
        }
        let target = unsafe small.row(y)
        for x in 0..<size.width {
            let first = min(x * factor, plane.width - 1)
            let columns = first..<max(min((x + 1) * factor, plane.width), first + 1)
            let count = Int32(rows.count * columns.count)
            unsafe target[x] = UInt8(clamping: (sums[columns].reduce(0, +) + count / 2) / count)
        }
    }
    return small
}

/// Adds a row of samples. A separate loop, so that it is vectorised.
private func add(_ samples: UnsafePointer<UInt8>, to sums: UnsafeMutableBufferPointer<Int32>) {
    for x in sums.indices { unsafe sums[x] &+= Int32(samples[x]) }
}
