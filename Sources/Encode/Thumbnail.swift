public import Pixels

extension JPEGEncoder {
    /// A small copy of a picture as a bare JPEG, for the thumbnail inside EXIF. The encoder's last file is lost.
    ///
    /// Cheapest from the preview: every sample of the picture is read once.
    ///
    /// - Parameter longEdge: at most this many pixels a side; EXIF's custom is 160. A smaller picture stays as it is.
    public mutating func thumbnail(
        of image: borrowing OutputImage, longEdge: Int = 160, quality: Int = 80
    ) throws(EncodeError) -> [UInt8] {
        let small = Thumbnail.reduce(image, longEdge: longEdge)
        try encode(small, quality: quality, segments: .bare)
        return copyBytes()
    }
}

/// Reduction by the mean of the samples each small sample covers, in whole numbers: the same on every machine.
enum Thumbnail {
    static func reduce(_ image: borrowing OutputImage, longEdge: Int) -> OutputImage {
        let size = fit(image.size, longEdge: longEdge)
        let divisor = image.subsampling == .quarter ? 2 : 1
        let chroma = PixelSize(
            width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
        return OutputImage(
            luma: reduce(image.luma, to: size), cb: reduce(image.cb, to: chroma), cr: reduce(image.cr, to: chroma),
            subsampling: image.subsampling, colourSpace: image.colourSpace)
    }

    /// The largest size of the same shape within the edge, never larger than the picture and never empty.
    static func fit(_ size: PixelSize, longEdge: Int) -> PixelSize {
        let long = max(size.width, size.height)
        guard long > longEdge else { return size }
        func scaled(_ side: Int) -> Int { max(1, (side * max(1, longEdge) + long / 2) / long) }
        return PixelSize(width: scaled(size.width), height: scaled(size.height))
    }

    private static func reduce(_ plane: borrowing Plane<UInt8>, to size: PixelSize) -> Plane<UInt8> {
        let result = Plane<UInt8>(width: size.width, height: size.height)
        var sums = [UInt32](repeating: 0, count: size.width)
        for y in 0..<size.height {
            let rows = span(y, of: size.height, over: plane.height)
            for x in sums.indices { sums[x] = 0 }
            for sourceY in rows { add(plane.row(sourceY), plane.width, to: &sums) }
            for x in 0..<size.width {
                let count = UInt32(rows.count * span(x, of: size.width, over: plane.width).count)
                result.row(y)[x] = UInt8((sums[x] + count / 2) / count)
            }
        }
        return result
    }

    /// Adds each small sample's part of a row. A sum holds 2^24 samples of 255.
    private static func add(_ row: UnsafeMutablePointer<UInt8>, _ width: Int, to sums: inout [UInt32]) {
        for x in sums.indices {
            for sourceX in span(x, of: sums.count, over: width) { sums[x] &+= UInt32(row[sourceX]) }
        }
    }

    /// The samples of a longer line that sample `index` of a shorter one covers: at least one, none twice.
    private static func span(_ index: Int, of count: Int, over length: Int) -> Range<Int> {
        let start = index * length / count
        return start..<max(start + 1, (index + 1) * length / count)
    }
}
