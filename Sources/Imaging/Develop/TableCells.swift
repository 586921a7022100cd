internal import Concurrency
internal import Memory
import Pixels

/// A three-dimensional table made ready for speed: for each of the six tetrahedra of each cell, the plane through its
/// corners as eight-bit luma and chroma, so that a pixel costs one place in memory and two multiplications of vectors.
///
/// Inside a tetrahedron the interpolation (H. R. Kang, 2006, "Computational Color Technology", chapter 9) is
/// value = base + red slope · fr + green slope · fg + blue slope · fb, and luma and chroma depend on colour as simply,
/// so both can be built into the slopes. All of it is whole numbers: the same on every processor, and with slopes that
/// are differences of the rounded points, a neutral axis stays neutral and cells meet without a seam.
///
/// Unchecked because of the pointer: what it points to is written once, in `init`, and stays while the cells live.
final class TableCells: @unchecked Sendable {
    /// One tetrahedron, in steps of 1/128 of an 8-bit value, for luma, Cb, Cr and nothing: pairs of (base, red slope),
    /// then pairs of (-green slope, -blue slope). The signs make the sum of both products a difference, which keeps
    /// the compiler from tearing the two apart: each is one instruction on most processors.
    struct Tetrahedron {
        var baseRed = SIMD8<Int16>()
        var greenBlue = SIMD8<Int16>()
    }

    /// Larger tables would take more memory than they are worth this way.
    static let largestSize = 33
    /// Steps of the points, a power of two.
    static let unitBits: Int32 = 7

    /// Cells an edge.
    let cells: Int
    /// Bits of a position inside a cell; all positions fit 16 bits.
    let fractionBits: Int
    /// The bits of a position inside a cell. Where a loop makes it itself, compilers see that fractions are positive, and
    /// compare them in place of looking at the sign of a difference: more to do.
    let fractionMask: UInt16
    let tetrahedra: UnsafePointer<Tetrahedron>
    private let memory: MemoryBlock
    /// What looked-up values are shifted by to be bytes.
    var shift: Int32 { Int32(fractionBits) + Self.unitBits }

    /// Nil where the table is too large, or leaves 0…1, which asks for clipping after interpolation.
    ///
    /// - Parameter threads: how many make the cells.
    init?(_ share: WeightedLUT, threads: Int) {
        let table = share.lut
        guard table.size <= Self.largestSize, table.points.allSatisfy({ $0 >= -1e-6 && $0 <= 1 + 1e-6 }) else {
            return nil
        }
        let cells = table.size - 1
        self.cells = cells
        var bits = 12
        while cells << bits > 1 << 16 { bits -= 1 }
        fractionBits = bits
        fractionMask = 1 << UInt16(bits) - 1
        let points = TablePoints(share)
        // It begins on a multiple of their size, so that none lies in two lines of the cache.
        let count = 6 * cells * cells * cells
        memory = MemoryBlock(byteCount: count * MemoryLayout<Tetrahedron>.stride, populatesLater: true)
        let first = memory.bytes.baseAddress.unsafelyUnwrapped.bindMemory(to: Tetrahedron.self, capacity: count)
        tetrahedra = UnsafePointer(first)
        let (fresh, shares) = (memory.fresh, min(max(threads, 1), cells))
        // Each thread writes the cells of its own blues, and `first` is valid until `memory` is freed.
        nonisolated(unsafe) let target = first
        Parallel.forEach(shares) { share in
            fresh?.populate(share: share, of: shares)
            for b in cells * share / shares..<cells * (share + 1) / shares {
                points.fill(target + 6 * cells * cells * b, blue: b)
            }
        }
    }
}

/// The points of a table as luma and chroma in steps of 1/128, ready to be rounded by a shift.
private struct TablePoints {
    private let size: Int
    private var values: [SIMD4<Int16>] = []

    init(_ share: WeightedLUT) {
        size = share.lut.size
        let step = 1 / Float(size - 1)
        values.reserveCapacity(size * size * size)
        var at = 0
        for b in 0..<size {
            for g in 0..<size {
                for r in 0..<size {
                    let own = SIMD3(Float(r), Float(g), Float(b)) * step
                    let point = SIMD3(share.lut.points[at], share.lut.points[at + 1], share.lut.points[at + 2])
                    values.append(LumaChroma.fixed(own + (point - own) * share.weight))
                    at += 3
                }
            }
        }
    }

    /// The tetrahedra of all cells of one blue.
    func fill(_ cells: UnsafeMutablePointer<TableCells.Tetrahedron>, blue: Int) {
        values.withUnsafeBufferPointer { values in
            var next = cells
            for g in 0..<size - 1 {
                for r in 0..<size - 1 {
                    Self.fill(next, values.baseAddress.unsafelyUnwrapped + ((blue * size + g) * size + r), size)
                    next += 6
                }
            }
        }
    }

    /// The six tetrahedra of a cell, by code: 1 where red's fraction is above green's, and 2 for each of green's and red's
    /// above blue's.
    ///
    /// - Parameter near: the point closest to black.
    @inline(__always)
    private static func fill(
        _ cell: UnsafeMutablePointer<TableCells.Tetrahedron>, _ near: UnsafePointer<SIMD4<Int16>>, _ size: Int
    ) {
        let (green, blue) = (size, size * size)
        let (n, r, g, b) = (near[0], near[1], near[green], near[blue])
        let (rg, rb, gb, far) = (near[1 + green], near[1 + blue], near[green + blue], near[1 + green + blue])
        // From the near corner to the far one along the axes in falling order of the fractions.
        cell[0] = .init(near: n, red: far &- gb, green: gb &- b, blue: b &- n)
        cell[1] = .init(near: n, red: rb &- b, green: far &- rb, blue: b &- n)
        cell[2] = .init(near: n, red: far &- gb, green: g &- n, blue: gb &- g)
        cell[3] = .init(near: n, red: r &- n, green: far &- rb, blue: rb &- r)
        cell[4] = .init(near: n, red: rg &- g, green: g &- n, blue: far &- rg)
        cell[5] = .init(near: n, red: r &- n, green: rg &- r, blue: far &- rg)
    }
}

extension TableCells.Tetrahedron {
    /// - Parameters:
    ///   - near: the value where all fractions are 0.
    ///   - red: the slope along red, and so on.
    @inline(__always)
    fileprivate init(near: SIMD4<Int16>, red: SIMD4<Int16>, green: SIMD4<Int16>, blue: SIMD4<Int16>) {
        baseRed.evenHalf = near
        baseRed.oddHalf = red
        greenBlue.evenHalf = 0 &- green
        greenBlue.oddHalf = 0 &- blue
    }
}
