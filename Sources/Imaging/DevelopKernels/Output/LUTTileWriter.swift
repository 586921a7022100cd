import CAVX512
import Pixels

/// Writes tiles with a look that is a LUT: light becomes 8-bit Y′CbCr in one pass.
///
/// The pass has steps that compilers vectorise well: coordinates in the LUT, tetrahedra and weights, values, bytes.
/// AVX-512 does all steps for the first squares of a tile, or pairs of pixels of its row, in whole groups of 32; the
/// steps do the rest.
final class LUTTileWriter: TileWriter {
    private let rendering: LUTRendering
    private let lut: TetrahedralLUT
    /// Red, green and blue coordinates of one corner's pixels.
    private let coordinates: UnsafeMutablePointer<UInt16>
    /// By corner of a tile's squares, the tetrahedron of each pixel, and its weights as pairs of 16-bit numbers.
    private let memory: UnsafeMutablePointer<UInt32>
    /// By corner, luma before it becomes bytes.
    private let lumas: UnsafeMutablePointer<Int32>
    /// Sums of the values of a square's pixels.
    private let sums: UnsafeMutablePointer<SIMD4<Int32>>
    /// Luma, Cb, Cr and an unused byte of a row's pixels.
    private let pixels: UnsafeMutablePointer<SIMD4<UInt8>>
    /// Nil without AVX-512 or a smooth curve.
    private let avx512: RawmillLUT?

    init(_ rendering: LUTRendering, path: VectorPath = .ofThisBuild) {
        self.rendering = rendering
        lut = rendering.lut
        coordinates = Self.allocate(3 * Tile.squares)
        memory = Self.allocate(12 * Tile.squares)
        lumas = Self.allocate(4 * Tile.squares)
        sums = Self.allocate(Tile.squares)
        pixels = Self.allocate(2 * Tile.squares)
        avx512 = path == .avx512 ? Self.avx512(rendering) : nil
    }

    private static func allocate<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
        UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Value>.stride, alignment: 64)
            .bindMemory(to: Value.self, capacity: count)
    }

    private static func avx512(_ rendering: LUTRendering) -> RawmillLUT? {
        guard let curve = rendering.coordinates.avx512 else { return nil }
        let lut = rendering.lut
        return RawmillLUT(
            curve: curve, offset: LightLUTIndex.offset, cells: UInt32(lut.cells),
            fractionBits: UInt32(lut.fractionBits), shift: UInt32(lut.shift),
            tetrahedra: UnsafeRawPointer(lut.tetrahedra).assumingMemoryBound(to: Int16.self))
    }

    deinit {
        coordinates.deallocate()
        memory.deallocate()
        lumas.deallocate()
        sums.deallocate()
        pixels.deallocate()
    }

    private func weights(_ corner: Int) -> Weights { Weights(start: memory + corner * 3 * Tile.squares) }

    private func locate(_ light: PixelRow, _ weights: Weights) {
        let (red, green, blue) = (coordinates, coordinates + Tile.squares, coordinates + 2 * Tile.squares)
        rendering.coordinates.map(light.red, into: red, count: light.count)
        rendering.coordinates.map(light.green, into: green, count: light.count)
        rendering.coordinates.map(light.blue, into: blue, count: light.count)
        let bits = UInt16(lut.fractionBits)
        let mask = lut.fractionMask
        let one = UInt32(1) &<< UInt32(bits)
        let row = UInt16(truncatingIfNeeded: lut.cells)
        let plane = row &* row
        let (index, baseRed, greenBlue) = (weights.index, weights.baseRed, weights.greenBlue)
        for x in 0..<light.count {
            let (fr, fg, fb) = (red[x] & mask, green[x] & mask, blue[x] & mask)
            let cell = (red[x] &>> bits) &+ (green[x] &>> bits) &* row &+ (blue[x] &>> bits) &* plane
            // The sign bits of differences compare the fractions. Equal fractions give the same colour either way.
            let redGreen = (fg &- fr) &>> 15
            let aboveBlue = ((fb &- fg) &>> 15) &+ ((fb &- fr) &>> 15)
            index[x] = UInt32(cell) &* 6 &+ UInt32(redGreen &+ aboveBlue &* 2)
            baseRed[x] = one | UInt32(fr) &<< 16
            greenBlue[x] = UInt32(fg) | UInt32(fb) &<< 16
        }
    }

    func writeSquares(
        _ tile: Tile, luma: (upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>),
        cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
    ) {
        let done = writeAVX512(tile, luma, cb, cr)
        let count = tile.count - done
        if count == 0 { return }
        for corner in 0..<4 { locate(tile.corner(corner).piece(from: done, count: count), weights(corner)) }
        addUpSquares(count)
        write(lumas, lumas + Tile.squares, into: luma.upper + 2 * done, count)
        write(lumas + 2 * Tile.squares, lumas + 3 * Tile.squares, into: luma.lower + 2 * done, count)
        let (sums, cb, cr, shift) = (sums, cb + done, cr + done, lut.shift + 2)
        for x in 0..<count {
            cb[x] = UInt8(truncatingIfNeeded: sums[x][1] &>> shift)
            cr[x] = UInt8(truncatingIfNeeded: sums[x][2] &>> shift)
        }
    }

    /// Writes the first squares with AVX-512 and returns their number, or 0 on another path.
    private func writeAVX512(
        _ tile: Tile, _ luma: (upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>),
        _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>
    ) -> Int {
        guard var avx512 else { return 0 }
        let light = tile.corner(0)
        return rawmill_lut_to_ycbcr420(
            &avx512, light.red, light.green - light.red, tile.count, luma.upper, luma.lower, cb, cr)
    }

    private func write(
        _ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, into luma: UnsafeMutablePointer<UInt8>,
        _ count: Int
    ) {
        let shift = lut.shift
        for x in 0..<count {
            luma[2 * x] = UInt8(truncatingIfNeeded: left[x] &>> shift)
            luma[2 * x + 1] = UInt8(truncatingIfNeeded: right[x] &>> shift)
        }
    }

    /// Interpolates the pixels of the squares. Stores whole values, because extracting bytes from vectors one by one is
    /// slower than a loop over many.
    private func addUpSquares(_ count: Int) {
        let weights = (weights(0), weights(1), weights(2), weights(3))
        let (p, q, s, t) = (lumas, lumas + Tile.squares, lumas + 2 * Tile.squares, lumas + 3 * Tile.squares)
        let (table, sums) = (lut.tetrahedra, sums)
        for x in 0..<count {
            let a = weights.0.value(table, x)
            let b = weights.1.value(table, x)
            let c = weights.2.value(table, x)
            let d = weights.3.value(table, x)
            p[x] = a[0]
            q[x] = b[0]
            s[x] = c[0]
            t[x] = d[0]
            sums[x] = a &+ b &+ c &+ d
        }
    }

    func write(
        _ tile: Tile, row: Int, luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>,
        cr: UnsafeMutablePointer<UInt8>
    ) {
        let done = writeAVX512(tile, row: row, luma, cb, cr)
        let count = tile.count - done
        if count == 0 { return }
        let (table, shift, pixels) = (lut.tetrahedra, lut.shift, pixels)
        for column in 0..<2 {
            let weights = weights(column)
            locate(tile.corner(2 * row + column).piece(from: done, count: count), weights)
            for x in 0..<count {
                pixels[2 * x + column] = SIMD4(truncatingIfNeeded: weights.value(table, x) &>> shift)
            }
        }
        let (luma, cb, cr) = (luma + 2 * done, cb + 2 * done, cr + 2 * done)
        // Compilers narrow bytes of 32-bit numbers many at a time.
        pixels.withMemoryRebound(to: UInt32.self, capacity: 2 * count) { words in
            for x in 0..<2 * count { luma[x] = UInt8(truncatingIfNeeded: UInt32(littleEndian: words[x])) }
            for x in 0..<2 * count { cb[x] = UInt8(truncatingIfNeeded: UInt32(littleEndian: words[x]) &>> 8) }
            for x in 0..<2 * count { cr[x] = UInt8(truncatingIfNeeded: UInt32(littleEndian: words[x]) &>> 16) }
        }
    }

    /// Writes the first pairs of a row's pixels with AVX-512 and returns their number, or 0 on another path.
    private func writeAVX512(
        _ tile: Tile, row: Int, _ luma: UnsafeMutablePointer<UInt8>, _ cb: UnsafeMutablePointer<UInt8>,
        _ cr: UnsafeMutablePointer<UInt8>
    ) -> Int {
        guard var avx512 else { return 0 }
        let light = tile.corner(2 * row)
        return rawmill_lut_to_ycbcr444(&avx512, light.red, light.green - light.red, tile.count, luma, cb, cr)
    }
}

private struct Weights {
    let index: UnsafeMutablePointer<UInt32>
    /// 1 and red's fraction.
    let baseRed: UnsafeMutablePointer<UInt32>
    /// Green's and blue's fractions.
    let greenBlue: UnsafeMutablePointer<UInt32>

    init(start: UnsafeMutablePointer<UInt32>) {
        index = start
        baseRed = start + Tile.squares
        greenBlue = start + 2 * Tile.squares
    }

    /// Luma, Cb and Cr of a pixel in the units of the tetrahedra times 2ᶠʳᵃᶜᵗⁱᵒⁿᴮⁱᵗˢ, none negative.
    @inline(__always)
    func value(_ table: UnsafePointer<TetrahedralLUT.Tetrahedron>, _ x: Int) -> SIMD4<Int32> {
        let tetrahedron = table + Int(index[x])
        return Self.products(tetrahedron.pointee.baseRed, baseRed[x])
            &- Self.products(tetrahedron.pointee.greenBlue, greenBlue[x])
    }

    /// Sum of products of each pair with a pair of weights.
    @inline(__always)
    private static func products(_ pairs: SIMD8<Int16>, _ weights: UInt32) -> SIMD4<Int32> {
        let spread = unsafeBitCast(SIMD4<UInt32>(repeating: weights), to: SIMD8<Int16>.self)
        let first =
            SIMD4<Int32>(truncatingIfNeeded: pairs.evenHalf)
            &* SIMD4<Int32>(truncatingIfNeeded: spread.evenHalf)
        let second =
            SIMD4<Int32>(truncatingIfNeeded: pairs.oddHalf)
            &* SIMD4<Int32>(truncatingIfNeeded: spread.oddHalf)
        return first &+ second
    }
}
