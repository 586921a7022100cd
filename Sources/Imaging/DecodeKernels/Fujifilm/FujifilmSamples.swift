internal import PixelKernels

/// Strips of a compressed Fujifilm RAF, decoded two at a time.
public struct FujifilmSamples {
    private let strips: [(bytes: UnsafeRawBufferPointer, target: SliceTarget, slice: PlaneSlice)]
    private let coding: FujifilmCoding

    /// Proves that strips are no wider than coded, that their rows lie inside the plane, and that lossy strips have
    /// tolerances.
    ///
    /// - Parameter strips: for each strip its bytes, which must stay valid until `unpack()` returns, and one slice. All
    ///   slices have the same height, a multiple of six rows.
    public init?(_ strips: [(bytes: UnsafeRawBufferPointer, target: SliceTarget)], coding: FujifilmCoding) {
        var proved: [(bytes: UnsafeRawBufferPointer, target: SliceTarget, slice: PlaneSlice)] = []
        for (bytes, target) in strips {
            guard target.slices.count == 1, let slice = target.slices.first, slice.width <= FujifilmCoding.stripWidth,
                slice.width % 6 == 0, slice.height % FujifilmCoding.rowsTogether == 0,
                target.visibleCount(slice.width, x: slice.x) == slice.width,
                slice.height == proved.first?.slice.height ?? slice.height,
                coding.tolerances == nil
                    || coding.tolerances(x: slice.x)?.count == slice.height / FujifilmCoding.rowsTogether
            else { return nil }
            proved.append((bytes, target, slice))
        }
        self.strips = proved
        self.coding = coding
    }

    /// Writes all samples to the target. Other threads see them after `StreamingStores.fence()`.
    ///
    /// - Returns: false if the codes are damaged: a value beyond a sample's range, or too few bits.
    public func unpack() -> Bool {
        for first in stride(from: 0, to: strips.count, by: 2) {
            let both = Array(strips[first..<min(first + 2, strips.count)])
            let isSound =
                coding.tolerances == nil
                ? unpack(both, FujifilmExactLevels.self) : unpack(both, FujifilmCoarseLevels.self)
            guard isSound else { return false }
        }
        return true
    }

    private func unpack<Levels: FujifilmLevels>(
        _ both: [(bytes: UnsafeRawBufferPointer, target: SliceTarget, slice: PlaneSlice)], _: Levels.Type
    ) -> Bool {
        guard let height = both.first?.slice.height else { return true }
        let pairs = coding.isXTrans ? FujifilmLines.xTransPairs : FujifilmLines.bayerPairs
        let decoded = both.map {
            FujifilmStrip<Levels>($0.bytes, coding: coding, tolerances: coding.tolerances(x: $0.slice.x))
        }
        return withUnsafeTemporaryAllocation(of: UInt16.self, capacity: FujifilmCoding.stripWidth) { row in
            guard let row = row.baseAddress else { return false }
            for y in stride(from: 0, to: height, by: FujifilmCoding.rowsTogether) {
                for strip in decoded { strip.begin(y / FujifilmCoding.rowsTogether) }
                FujifilmStrip.decode(decoded[0], decoded.count > 1 ? decoded[1] : nil, pairs)
                guard decoded.allSatisfy(\.isSound) else { return false }
                for (strip, (_, target, slice)) in zip(decoded, both) {
                    for (index, places) in coding.rows.enumerated() {
                        fill(row, places, strip.lines, count: slice.width)
                        StreamingStores.copy(
                            row, to: target.row(slice.y + y + index) + slice.x,
                            byteCount: slice.width * MemoryLayout<UInt16>.stride)
                    }
                    strip.lines.advance()
                }
            }
            return true
        }
    }

    private func fill(
        _ row: UnsafeMutablePointer<UInt16>, _ places: [FujifilmCoding.Place], _ lines: FujifilmLines, count: Int
    ) {
        func source(_ column: Int) -> UnsafeMutablePointer<UInt16> {
            lines.line(places[column].line) + places[column].sample
        }
        if places.count == 6 {
            let sources = (source(0), source(1), source(2), source(3), source(4), source(5))
            for index in 0..<count / 6 {
                row[6 &* index] = sources.0[4 &* index]
                row[6 &* index &+ 1] = sources.1[4 &* index]
                row[6 &* index &+ 2] = sources.2[4 &* index]
                row[6 &* index &+ 3] = sources.3[4 &* index]
                row[6 &* index &+ 4] = sources.4[4 &* index]
                row[6 &* index &+ 5] = sources.5[4 &* index]
            }
        } else {
            let (left, right) = (source(0), source(1))
            for index in 0..<count / 2 {
                row[2 &* index] = left[index]
                row[2 &* index &+ 1] = right[index]
            }
        }
    }
}
