internal import Concurrency
internal import Memory

/// A three-dimensional LUT prepared for speed: each of the six tetrahedra of each cell has the coefficients of its luma
/// and chroma, so that a pixel costs one read from memory and two vector multiplications.
///
/// Tetrahedral interpolation (H. R. Kang, 2006, "Computational Color Technology", chapter 9) is linear inside a
/// tetrahedron: value = base + red slope · fr + green slope · fg + blue slope · fb. Luma and chroma are linear in the
/// colour, so base and slopes can include them. All numbers are integers, and so the same on every processor. The
/// slopes are differences of the rounded points: a neutral axis stays neutral, and cells meet without a seam.
///
/// `@unchecked Sendable`: the memory is written only in `init`, and stays while the LUT lives.
package final class TetrahedralLUT: @unchecked Sendable {
    /// One tetrahedron, in 1/128 of an 8-bit value, for luma, Cb, Cr and an unused lane: pairs of (base, red slope),
    /// then pairs of (-green slope, -blue slope). With these signs the value is the difference of two sums of products,
    /// which keeps the compiler from splitting them: each sum is one instruction on most processors.
    struct Tetrahedron {
        var baseRed = SIMD8<Int16>()
        var greenBlue = SIMD8<Int16>()
    }

    /// Maximum points along an edge: larger LUTs are not worth their memory in this form.
    package static let maxSize = 33
    /// Fraction bits of the points.
    static let unitBits: Int32 = 7

    /// Cells along an edge.
    package let cells: Int
    /// Bits of a coordinate inside a cell. All coordinates fit in 16 bits.
    let fractionBits: Int
    /// Selects the bits of a coordinate inside a cell. It is stored, because a compiler that sees it computed knows
    /// that fractions are positive, and replaces the sign of a difference with a comparison, which is slower.
    let fractionMask: UInt16
    let tetrahedra: UnsafePointer<Tetrahedron>
    private let memory: MemoryBlock
    /// Exclusive bound of coordinates.
    package var coordinateEnd: Int { cells << fractionBits }
    /// The right shift that turns interpolated values into bytes.
    var shift: Int32 { Int32(fractionBits) + Self.unitBits }

    /// Nil unless there are `size³` points for a size of 2 to ``maxSize``, all within 0…1: others would have to be
    /// clipped after interpolation. The points are display-encoded red, green and blue; the input's red runs fastest.
    package init?(_ points: [Float], threads: Int) {
        guard let size = (2...Self.maxSize).first(where: { 3 * $0 * $0 * $0 == points.count }),
            points.allSatisfy({ $0 >= 0 && $0 <= 1 })
        else { return nil }
        let cells = size - 1
        self.cells = cells
        var bits = 12
        while cells << bits > 1 << 16 { bits -= 1 }
        fractionBits = bits
        fractionMask = 1 << UInt16(bits) - 1
        let table = PointTable(points, size: size)
        // The block is aligned to the size of a tetrahedron, so that none straddles two cache lines.
        let count = 6 * cells * cells * cells
        memory = MemoryBlock(byteCount: count * MemoryLayout<Tetrahedron>.stride, populatesLater: true)
        let first = memory.bytes.baseAddress.unsafelyUnwrapped.bindMemory(to: Tetrahedron.self, capacity: count)
        tetrahedra = UnsafePointer(first)
        let (fresh, shares) = (memory.fresh, min(max(threads, 1), cells))
        // Each thread writes the cells of different blues, and `first` is valid until `memory` is freed.
        nonisolated(unsafe) let target = first
        Parallel.forEach(shares) { share in
            fresh?.populate(share: share, of: shares)
            for b in cells * share / shares..<cells * (share + 1) / shares {
                table.fill(target + 6 * cells * cells * b, blue: b)
            }
        }
    }
}

/// The points of a LUT as luma and chroma in 1/128 of an 8-bit value, plus half a step, so that a shift rounds them.
private struct PointTable {
    private let size: Int
    private var values: [SIMD4<Int16>] = []

    init(_ points: [Float], size: Int) {
        self.size = size
        values.reserveCapacity(size * size * size)
        for i in stride(from: 0, to: points.count, by: 3) {
            values.append(YCbCrConversion.fixedPoint(SIMD3(points[i], points[i + 1], points[i + 2])))
        }
    }

    func fill(_ cells: UnsafeMutablePointer<TetrahedralLUT.Tetrahedron>, blue: Int) {
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

    /// Makes the six tetrahedra of a cell. A tetrahedron's index is 1 if red's fraction is above green's, plus 2 for
    /// each of green's and red's fractions that is above blue's. `near` is the corner closest to black.
    @inline(__always)
    private static func fill(
        _ cell: UnsafeMutablePointer<TetrahedralLUT.Tetrahedron>, _ near: UnsafePointer<SIMD4<Int16>>, _ size: Int
    ) {
        let (green, blue) = (size, size * size)
        let (n, r, g, b) = (near[0], near[1], near[green], near[blue])
        let (rg, rb, gb, far) = (near[1 + green], near[1 + blue], near[green + blue], near[1 + green + blue])
        // From the near corner to the far one along the axes, in descending order of fractions.
        cell[0] = .init(near: n, red: far &- gb, green: gb &- b, blue: b &- n)
        cell[1] = .init(near: n, red: rb &- b, green: far &- rb, blue: b &- n)
        cell[2] = .init(near: n, red: far &- gb, green: g &- n, blue: gb &- g)
        cell[3] = .init(near: n, red: r &- n, green: far &- rb, blue: rb &- r)
        cell[4] = .init(near: n, red: rg &- g, green: g &- n, blue: far &- rg)
        cell[5] = .init(near: n, red: r &- n, green: rg &- r, blue: far &- rg)
    }
}

extension TetrahedralLUT.Tetrahedron {
    /// `near` is the value at fractions of 0; `red`, `green` and `blue` are the slopes.
    @inline(__always)
    fileprivate init(near: SIMD4<Int16>, red: SIMD4<Int16>, green: SIMD4<Int16>, blue: SIMD4<Int16>) {
        baseRed.evenHalf = near
        baseRed.oddHalf = red
        greenBlue.evenHalf = 0 &- green
        greenBlue.oddHalf = 0 &- blue
    }
}
