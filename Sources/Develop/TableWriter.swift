import Pixels

/// A look that is a table, built into the last pass: tiles of light become 8-bit Y′CbCr in steps, each a loop the
/// compiler makes good code of: positions in the table, places of tetrahedra with their weights, values, bytes.
final class TableWriter {
    private let places: TablePlaces
    private let cells: TableCells
    private let positions: UnsafeMutablePointer<UInt16>
    /// By row of a tile: the tetrahedron of each pixel, and its weights as pairs of 16-bit numbers.
    private let memory: UnsafeMutablePointer<UInt32>
    /// By row of a tile, luma before it becomes bytes; and the sums of squares.
    private let lumas: UnsafeMutablePointer<Int32>
    private let sums: UnsafeMutablePointer<SIMD4<Int32>>

    init(_ table: TableRendering) {
        places = table.places
        cells = table.cells
        positions = .allocate(capacity: 3 * Tile.width)
        memory = .allocate(capacity: 6 * Tile.width)
        lumas = .allocate(capacity: 2 * Tile.width)
        sums = .allocate(capacity: Tile.width / 2)
    }

    deinit {
        positions.deallocate()
        memory.deallocate()
        lumas.deallocate()
        sums.deallocate()
    }

    private func weights(_ row: Int) -> Weights { Weights(start: memory + row * 3 * Tile.width) }

    /// Where the row's light lies in the table. `row` is 0 or 1.
    func locate(_ light: PixelRow, row: Int) {
        let count = light.count
        for (channel, plane) in [light.red, light.green, light.blue].enumerated() {
            let found = positions + channel * Tile.width
            LightIndex.find(plane, found, count)
            places.fetch(found, channel: channel, count: count)
        }
        locate(count, weights(row))
    }

    private func locate(_ count: Int, _ weights: Weights) {
        let (red, green, blue) = (positions, positions + Tile.width, positions + 2 * Tile.width)
        let bits = UInt16(cells.fractionBits)
        let mask = cells.fractionMask
        let one = UInt32(1) &<< UInt32(bits)
        let row = UInt16(truncatingIfNeeded: cells.cells)
        let plane = row &* row
        let (index, baseRed, greenBlue) = (weights.index, weights.baseRed, weights.greenBlue)
        for x in 0..<count {
            let (fr, fg, fb) = (red[x] & mask, green[x] & mask, blue[x] & mask)
            let cell = (red[x] &>> bits) &+ (green[x] &>> bits) &* row &+ (blue[x] &>> bits) &* plane
            // The sign bits of the differences; equal fractions give the same colour either way.
            let redGreen = (fg &- fr) &>> 15
            let aboveBlue = ((fb &- fg) &>> 15) &+ ((fb &- fr) &>> 15)
            index[x] = UInt32(cell) &* 6 &+ UInt32(redGreen &+ aboveBlue &* 2)
            baseRed[x] = one | UInt32(fr) &<< 16
            greenBlue[x] = UInt32(fg) | UInt32(fb) &<< 16
        }
    }

    /// Luma of two located rows of `2 * count` pixels, and one chroma sample for each 2 × 2 of them.
    func writeSquares(
        upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>,
        cr: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        addUpSquares(count)
        let shift = Int32(cells.fractionBits) + TableCells.unitBits
        let (above, below, sums) = (lumas, lumas + Tile.width, sums)
        for x in 0..<(2 * count) { upper[x] = UInt8(truncatingIfNeeded: above[x] &>> shift) }
        for x in 0..<(2 * count) { lower[x] = UInt8(truncatingIfNeeded: below[x] &>> shift) }
        for x in 0..<count {
            cb[x] = UInt8(truncatingIfNeeded: sums[x][1] &>> (shift &+ 2))
            cr[x] = UInt8(truncatingIfNeeded: sums[x][2] &>> (shift &+ 2))
        }
    }

    /// Looks up the pixels of both located rows. Results are stored as they are: taking vectors apart here, into bytes,
    /// costs more than a loop that does it with many at once.
    private func addUpSquares(_ count: Int) {
        let (above, below) = (weights(0), weights(1))
        let (upper, lower, sums) = (lumas, lumas + Tile.width, sums)
        let table = cells.tetrahedra
        for x in 0..<count {
            let a = above.value(table, 2 * x)
            let b = above.value(table, 2 * x + 1)
            let c = below.value(table, 2 * x)
            let d = below.value(table, 2 * x + 1)
            upper[2 * x] = a[0]
            upper[2 * x + 1] = b[0]
            lower[2 * x] = c[0]
            lower[2 * x + 1] = d[0]
            sums[x] = a &+ b &+ c &+ d
        }
    }

    /// Luma and chroma of each pixel of a located row.
    func write(
        row: Int, luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>,
        cr: UnsafeMutablePointer<UInt8>, columns: Range<Int>
    ) {
        let weights = weights(row)
        let table = cells.tetrahedra
        let shift = Int32(cells.fractionBits) + TableCells.unitBits
        for x in 0..<columns.count {
            let value = weights.value(table, columns.lowerBound + x)
            luma[x] = UInt8(truncatingIfNeeded: value[0] &>> shift)
            cb[x] = UInt8(truncatingIfNeeded: value[1] &>> shift)
            cr[x] = UInt8(truncatingIfNeeded: value[2] &>> shift)
        }
    }
}

/// The located pixels of one row.
private struct Weights {
    let index: UnsafeMutablePointer<UInt32>
    /// 1 and red's fraction.
    let baseRed: UnsafeMutablePointer<UInt32>
    /// Green's and blue's fractions.
    let greenBlue: UnsafeMutablePointer<UInt32>

    init(start: UnsafeMutablePointer<UInt32>) {
        index = start
        baseRed = start + Tile.width
        greenBlue = start + 2 * Tile.width
    }

    /// Luma, Cb and Cr of a pixel, in the units of the cells times 2 to the fraction's bits; never negative.
    @inline(__always)
    func value(_ table: UnsafePointer<TableCells.Tetrahedron>, _ x: Int) -> SIMD4<Int32> {
        let tetrahedron = table + Int(index[x])
        return Self.products(tetrahedron.pointee.baseRed, baseRed[x])
            &- Self.products(tetrahedron.pointee.greenBlue, greenBlue[x])
    }

    /// The sums of the products of pairs with one pair of weights.
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
