internal import Compression
public import PictureFormat

/// Reading, in memory-safe code of our own: only the zlib stream is a C library's. So a command may read a file that its user
/// names, as it reads a `.cube`, and needs no process in a sandbox for it.
extension PNGPicture {
    /// Reads what can stand for a table: truecolour or grey of 8 or 16 bits, not interlaced, without transparency.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - accepts: looks at the size before anything of that size is reserved, and throws for a wrong one.
    /// - Throws: `PNGError` that says what is wrong and what to do.
    public init(
        _ bytes: [UInt8], accepts: (PixelSize) throws(PNGError) -> Void = { _ throws(PNGError) in }
    ) throws(PNGError) {
        let file = try PNGStructure(bytes)
        try accepts(file.size)
        let (rowBytes, overflows) = (1 + file.pixelBytes * file.size.width).multipliedReportingOverflow(
            by: file.size.height)
        guard !overflows, rowBytes < 1 << 31 else {
            throw PNGError("the picture is too large", "a table needs 4096 × 4096 pixels at most")
        }
        var rows: [UInt8]
        do throws(CompressionError) {
            rows = try Inflater.inflate(file.data, of: bytes, count: rowBytes)
        } catch {
            throw PNGError("\(error)", "copy or save the PNG file again")
        }
        try Self.unfilter(&rows, file)
        self.init(size: file.size, bits: file.bits, samples: try Self.samples(rows, file), hasProfile: file.hasProfile)
    }

    /// Undoes the five filters, each of which says a byte as the difference from its neighbours'.
    private static func unfilter(_ rows: inout [UInt8], _ file: PNGStructure) throws(PNGError) {
        let (pixel, stride) = (file.pixelBytes, 1 + file.pixelBytes * file.size.width)
        for y in 0..<file.size.height {
            let start = y * stride + 1
            let filter = rows[start - 1]
            guard filter <= 4 else { throw .damaged }
            if filter == 0 { continue }
            for x in start..<start + stride - 1 {
                let left = x - start >= pixel ? Int(rows[x - pixel]) : 0
                let above = y > 0 ? Int(rows[x - stride]) : 0
                let predicted =
                    switch filter {
                    case 1: left
                    case 2: above
                    case 3: (left + above) / 2
                    default:
                        paeth(left, above, y > 0 && x - start >= pixel ? Int(rows[x - stride - pixel]) : 0)
                    }
                rows[x] = rows[x] &+ UInt8(truncatingIfNeeded: predicted)
            }
        }
    }

    /// The neighbour that a plane through all three comes closest to (A. W. Paeth, 1991, "Image File Compression Made Easy").
    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let plane = left + above - corner
        let (a, b, c) = (abs(plane - left), abs(plane - above), abs(plane - corner))
        return a <= b && a <= c ? left : b <= c ? above : corner
    }

    private static func samples(_ rows: [UInt8], _ file: PNGStructure) throws(PNGError) -> [UInt16] {
        let (width, bytes) = (file.size.width, file.bits / 8)
        var samples: [UInt16] = []
        samples.reserveCapacity(3 * width * file.size.height)
        for y in 0..<file.size.height {
            var place = y * (1 + file.pixelBytes * width) + 1
            func next() -> UInt16 {
                defer { place += bytes }
                return bytes == 1 ? UInt16(rows[place]) : UInt16(rows[place]) << 8 | UInt16(rows[place + 1])
            }
            for _ in 0..<width {
                if file.isGrey {
                    let grey = next()
                    samples += CollectionOfOne(grey)
                    samples += CollectionOfOne(grey)
                    samples += CollectionOfOne(grey)
                } else {
                    for _ in 0..<3 { samples.append(next()) }
                }
                if file.hasAlpha, next() != (bytes == 1 ? 0xFF : 0xFFFF) {
                    throw PNGError("parts of the picture are transparent", "save it without transparency (alpha)")
                }
            }
        }
        return samples
    }
}
