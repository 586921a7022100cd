import CAVX512
import Pixels

/// A look that is a table, built into the last pass: tiles of light become 8-bit Y′CbCr in steps, each a loop the
/// compiler makes good code of: positions in the table, places of tetrahedra with their weights, values, bytes.
///
/// Where the processor has wide vectors (`CAVX512`), they do all of it for most squares, and the steps are for the rest.
final class TableWriter: TileWriter {
    private let places: TablePlaces
    private let cells: TableCells
    private let positions: UnsafeMutablePointer<UInt16>
    /// By corner of a tile's squares: the tetrahedron of each pixel, and its weights as pairs of 16-bit numbers.
    private let memory: UnsafeMutablePointer<UInt32>
    /// By corner, luma before it becomes bytes; and the sums of squares.
    private let lumas: UnsafeMutablePointer<Int32>
    private let sums: UnsafeMutablePointer<SIMD4<Int32>>
    /// Nil where a curve is not smooth.
    private let wide: RawmillTable?

    init(_ table: TableRendering) {
        places = table.places
        cells = table.cells
        positions = Self.allocate(3 * Tile.squares)
        memory = Self.allocate(12 * Tile.squares)
        lumas = Self.allocate(4 * Tile.squares)
        sums = Self.allocate(Tile.squares)
        wide = Self.wide(table)
    }

    /// Memory in whole lines of the cache.
    private static func allocate<Value>(_ count: Int) -> UnsafeMutablePointer<Value> {
        UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Value>.stride, alignment: 64)
            .bindMemory(to: Value.self, capacity: count)
    }

    private static func wide(_ table: TableRendering) -> RawmillTable? {
        let (places, cells) = (table.places, table.cells)
        guard let red = places.red.wide, let green = places.green.wide, let blue = places.blue.wide else { return nil }
        return RawmillTable(
            red: red, green: green, blue: blue, offset: LightIndex.offset, cells: UInt32(cells.cells),
            fractionBits: UInt32(cells.fractionBits), shift: UInt32(cells.shift),
            tetrahedra: UnsafeRawPointer(cells.tetrahedra).assumingMemoryBound(to: Int16.self))
    }

    deinit {
        positions.deallocate()
        memory.deallocate()
        lumas.deallocate()
        sums.deallocate()
    }

    private func weights(_ corner: Int) -> Weights { Weights(start: memory + corner * 3 * Tile.squares) }

    /// Where light of one corner lies in the table.
    private func locate(_ light: PixelRow, _ weights: Weights) {
        let (red, green, blue) = (positions, positions + Tile.squares, positions + 2 * Tile.squares)
        places.find(light, red, green, blue)
        let bits = UInt16(cells.fractionBits)
        let mask = cells.fractionMask
        let one = UInt32(1) &<< UInt32(bits)
        let row = UInt16(truncatingIfNeeded: cells.cells)
        let plane = row &* row
        let (index, baseRed, greenBlue) = (weights.index, weights.baseRed, weights.greenBlue)
        for x in 0..<light.count {
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

    func writeSquares(
        _ tile: Tile, luma: (upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>),
        cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
    ) {
        let done = writeWide(tile, luma, cb, cr)
        let count = tile.count - done
        if count == 0 { return }
        for corner in 0..<4 { locate(tile.corner(corner).piece(from: done, count: count), weights(corner)) }
        addUpSquares(count)
        write(lumas, lumas + Tile.squares, into: luma.upper + 2 * done, count)
        write(lumas + 2 * Tile.squares, lumas + 3 * Tile.squares, into: luma.lower + 2 * done, count)
        let (sums, cb, cr, shift) = (sums, cb + done, cr + done, cells.shift + 2)
        for x in 0..<count {
            cb[x] = UInt8(truncatingIfNeeded: sums[x][1] &>> shift)
            cr[x] = UInt8(truncatingIfNeeded: sums[x][2] &>> shift)
        }
    }

    /// The first squares, by wide vectors.
    ///
    /// - Returns: how many; 0 where the processor, or the table, is not made for it.
    private func writeWide(
        _ tile: Tile, _ luma: (upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>),
        _ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>
    ) -> Int {
        guard var wide else { return 0 }
        let light = tile.corner(0)
        return rawmill_write_squares(
            &wide, light.red, light.green - light.red, tile.count, luma.upper, luma.lower, cb, cr)
    }

    private func write(
        _ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, into luma: UnsafeMutablePointer<UInt8>,
        _ count: Int
    ) {
        let shift = cells.shift
        for x in 0..<count {
            luma[2 * x] = UInt8(truncatingIfNeeded: left[x] &>> shift)
            luma[2 * x + 1] = UInt8(truncatingIfNeeded: right[x] &>> shift)
        }
    }

    /// Looks up the pixels of all squares. Results are stored as they are: taking vectors apart here, into bytes, costs
    /// more than a loop that does it with many at once.
    private func addUpSquares(_ count: Int) {
        let weights = (weights(0), weights(1), weights(2), weights(3))
        let (p, q, s, t) = (lumas, lumas + Tile.squares, lumas + 2 * Tile.squares, lumas + 3 * Tile.squares)
        let (table, sums) = (cells.tetrahedra, sums)
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
        let (table, shift) = (cells.tetrahedra, cells.shift)
        for column in 0..<2 {
            let weights = weights(column)
            locate(tile.corner(2 * row + column), weights)
            for x in 0..<tile.count {
                let value = weights.value(table, x)
                luma[2 * x + column] = UInt8(truncatingIfNeeded: value[0] &>> shift)
                cb[2 * x + column] = UInt8(truncatingIfNeeded: value[1] &>> shift)
                cr[2 * x + column] = UInt8(truncatingIfNeeded: value[2] &>> shift)
            }
        }
    }
}

/// The located pixels of one corner.
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
