internal import Compression
public import PictureFormat

/// Reading in memory-safe Swift; only zlib is a C library. A command may therefore read a user's file without a
/// sandboxed process, as it reads a `.cube`.
extension PNGPicture {
    /// Reads any PNG without transparency: truecolour, grey or palette, interlaced or not.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - accepts: checks the size before memory is reserved, and throws for a wrong one.
    /// - Throws: `PNGError` with problem and remedy.
    public init(
        _ bytes: [UInt8], accepts: (PixelSize) throws(PNGError) -> Void = { _ throws(PNGError) in }
    ) throws(PNGError) {
        let file = try PNGStructure(bytes)
        try accepts(file.size)
        var count = 0
        for pass in file.passes {
            let (bytes, overflows) = file.rowBytes(pass).multipliedReportingOverflow(by: pass.rows(of: file.size))
            count = overflows ? .max : min(count, 1 << 32) + bytes
            guard !overflows, count < 1 << 31 else {
                throw PNGError("the picture is too large", "a table needs 4096 × 4096 pixels at most")
            }
        }
        guard file.size.pixelCount < 1 << 30 else {
            throw PNGError("the picture is too large", "a table needs 4096 × 4096 pixels at most")
        }
        var rows: [UInt8]
        do throws(CompressionError) {
            rows = try Inflater.inflate(file.data, of: bytes, count: count)
        } catch {
            throw PNGError("\(error)", "copy or save the PNG file again")
        }
        var samples = [UInt16](repeating: 0, count: 3 * file.size.width * file.size.height)
        var start = 0
        for pass in file.passes {
            try Self.unfilter(&rows, from: start, pass, file)
            try Self.store(rows, from: start, pass, file, in: &samples)
            start += file.rowBytes(pass) * pass.rows(of: file.size)
        }
        self.init(
            size: file.size, bits: file.depth == 16 ? 16 : 8, samples: samples, hasProfile: file.hasProfile,
            paletteColours: file.palette.count / 3)
    }

    /// Undoes the five filters, which store a byte as the difference from its neighbours.
    private static func unfilter(
        _ rows: inout [UInt8], from first: Int, _ pass: PNGPass, _ file: PNGStructure
    ) throws(PNGError) {
        let (pixel, stride) = (file.filterDistance, file.rowBytes(pass))
        for y in 0..<pass.rows(of: file.size) {
            let start = first + y * stride + 1
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

    /// The neighbour closest to a plane through all three (A. W. Paeth, 1991, "Image File Compression Made Easy").
    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let plane = left + above - corner
        let (a, b, c) = (abs(plane - left), abs(plane - above), abs(plane - corner))
        return a <= b && a <= c ? left : b <= c ? above : corner
    }

    private static func store(
        _ rows: [UInt8], from first: Int, _ pass: PNGPass, _ file: PNGStructure, in samples: inout [UInt16]
    ) throws(PNGError) {
        let (depth, stride, mask) = (file.depth, file.rowBytes(pass), UInt8(truncatingIfNeeded: (1 << file.depth) - 1))
        let opaque: UInt16 = depth == 16 ? 0xFFFF : 0xFF
        for y in 0..<pass.rows(of: file.size) {
            let row = first + y * stride + 1
            var index = 0
            func next() -> UInt16 {
                defer { index += 1 }
                if depth == 16 { return UInt16(rows[row + 2 * index]) << 8 | UInt16(rows[row + 2 * index + 1]) }
                if depth == 8 { return UInt16(rows[row + index]) }
                // The first pixel is in the highest bits.
                let bit = index * depth
                return UInt16(rows[row + bit / 8] >> UInt8(8 - depth - bit % 8) & mask)
            }
            for x in 0..<pass.columns(of: file.size) {
                let place = 3 * ((pass.y + y * pass.stepY) * file.size.width + pass.x + x * pass.stepX)
                if file.hasPalette {
                    let colour = 3 * Int(next())
                    guard colour < file.palette.count else { throw .damaged }
                    for channel in 0..<3 { samples[place + channel] = UInt16(file.palette[colour + channel]) }
                } else if file.isGrey {
                    // Fewer than 8 bits also span black to white.
                    let grey = depth < 8 ? next() * (255 / UInt16(mask)) : next()
                    for channel in 0..<3 { samples[place + channel] = grey }
                } else {
                    for channel in 0..<3 { samples[place + channel] = next() }
                }
                if file.hasAlpha, next() != opaque {
                    throw PNGError("parts of the picture are transparent", "save it without transparency (alpha)")
                }
            }
        }
    }
}
