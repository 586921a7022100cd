internal import Pixels

/// The picture made smaller by a whole factor, each pixel the mean of a block: good enough for a thumbnail, for which
/// working in linear light would cost more than anybody sees.
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
    for y in 0..<size.height {
        let target = small.row(y)
        for x in 0..<size.width {
            target[x] = mean(plane, x * factor, y * factor, side: factor)
        }
    }
    return small
}

/// Mean of the block at (x, y), as far as the plane goes.
private func mean(_ plane: borrowing Plane<UInt8>, _ x: Int, _ y: Int, side: Int) -> UInt8 {
    let columns = min(x, plane.width - 1)..<max(min(x + side, plane.width), min(x, plane.width - 1) + 1)
    let rows = min(y, plane.height - 1)..<max(min(y + side, plane.height), min(y, plane.height - 1) + 1)
    var sum = 0
    for row in rows {
        let samples = plane.row(row)
        for column in columns { sum += Int(samples[column]) }
    }
    let count = rows.count * columns.count
    return UInt8(clamping: (sum + count / 2) / count)
}
