import Pixels

/// A three-dimensional table made ready for speed: for each of the six tetrahedra of each cell, the plane through its
/// corners as eight-bit luma and chroma, so that a pixel costs one place in memory and two multiplications of vectors.
///
/// Inside a tetrahedron the interpolation (H. R. Kang, 2006, "Computational Color Technology", chapter 9) is
/// value = base + red slope · fr + green slope · fg + blue slope · fb, and luma and chroma depend on colour as simply,
/// so both can be built into the slopes. All of it is whole numbers: the same on every processor, and with slopes that
/// are differences of the rounded points, a neutral axis stays neutral and cells meet without a seam.
///
/// Unchecked because of the pointer: what it points to is written once, in `init`, and freed with the cells.
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
    /// What looked-up values are shifted by to be bytes.
    var shift: Int32 { Int32(fractionBits) + Self.unitBits }

    /// Nil where the table is too large, or leaves 0…1, which asks for clipping after interpolation.
    init?(_ share: TableShare) {
        let table = share.table
        guard table.size <= Self.largestSize, table.points.allSatisfy({ $0 >= -1e-6 && $0 <= 1 + 1e-6 }) else {
            return nil
        }
        cells = table.size - 1
        var bits = 12
        while cells << bits > 1 << 16 { bits -= 1 }
        fractionBits = bits
        fractionMask = 1 << UInt16(bits) - 1
        let points = TablePoints(share)
        // On a multiple of their size, so that none lies in two lines of the cache.
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: 6 * cells * cells * cells * MemoryLayout<Tetrahedron>.stride, alignment: 64)
        let first = memory.bindMemory(to: Tetrahedron.self, capacity: 6 * cells * cells * cells)
        var next = first
        for b in 0..<cells {
            for g in 0..<cells {
                for r in 0..<cells {
                    for code in 0..<6 {
                        next.initialize(to: points.tetrahedron(code, r, g, b))
                        next += 1
                    }
                }
            }
        }
        tetrahedra = UnsafePointer(first)
    }

    deinit { tetrahedra.deallocate() }
}

/// The points of a table as luma and chroma in steps of 1/128, ready to be rounded by a shift.
private struct TablePoints {
    private let size: Int
    private var values: [SIMD4<Int16>] = []

    init(_ share: TableShare) {
        size = share.table.size
        let step = 1 / Float(size - 1)
        values.reserveCapacity(size * size * size)
        var at = 0
        for b in 0..<size {
            for g in 0..<size {
                for r in 0..<size {
                    let own = SIMD3(Float(r), Float(g), Float(b)) * step
                    let point = SIMD3(share.table.points[at], share.table.points[at + 1], share.table.points[at + 2])
                    values.append(LumaChroma.fixed(own + (point - own) * share.share))
                    at += 3
                }
            }
        }
    }

    private func at(_ r: Int, _ g: Int, _ b: Int) -> SIMD4<Int16> { values[(b * size + g) * size + r] }

    /// - Parameter code: 1 where red's fraction is above green's, and 2 for each of green's and red's above blue's.
    func tetrahedron(_ code: Int, _ r: Int, _ g: Int, _ b: Int) -> TableCells.Tetrahedron {
        let (near, far) = (at(r, g, b), at(r + 1, g + 1, b + 1))
        let red: SIMD4<Int16>
        let green: SIMD4<Int16>
        let blue: SIMD4<Int16>
        // From the near corner to the far one along the axes in falling order of the fractions.
        switch code {
        case 0: (blue, green, red) = path(near, at(r, g, b + 1), at(r, g + 1, b + 1), far)
        case 1: (blue, red, green) = path(near, at(r, g, b + 1), at(r + 1, g, b + 1), far)
        case 2: (green, blue, red) = path(near, at(r, g + 1, b), at(r, g + 1, b + 1), far)
        case 3: (red, blue, green) = path(near, at(r + 1, g, b), at(r + 1, g, b + 1), far)
        case 4: (green, red, blue) = path(near, at(r, g + 1, b), at(r + 1, g + 1, b), far)
        default: (red, green, blue) = path(near, at(r + 1, g, b), at(r + 1, g + 1, b), far)
        }
        var result = TableCells.Tetrahedron()
        for channel in 0..<3 {
            result.baseRed[2 * channel] = near[channel]
            result.baseRed[2 * channel + 1] = red[channel]
            result.greenBlue[2 * channel] = 0 &- green[channel]
            result.greenBlue[2 * channel + 1] = 0 &- blue[channel]
        }
        return result
    }

    private func path(
        _ a: SIMD4<Int16>, _ b: SIMD4<Int16>, _ c: SIMD4<Int16>, _ d: SIMD4<Int16>
    ) -> (SIMD4<Int16>, SIMD4<Int16>, SIMD4<Int16>) { (b &- a, c &- b, d &- c) }
}
