internal import PixelKernels

/// One tile of Canon's CRX, the compression of CR3: four planes, each one band or the bands of a wavelet (LibRaw's
/// `crxLoadRaw` by A. Danilchenko, 2019; L. Clévy, "Describing the Canon Raw v3 (CR3) file format", 2018).
///
/// Decodes the planes row by row in parallel, so that pairs of sensor rows are completed at once.
public struct CRXSamples {
    private static let edges = 22...1 << 14
    /// Wider coefficients may overflow sums.
    private static let maxBits: Int32 = 27

    private let bytes: UnsafeRawBufferPointer
    private let tile: CRXTile
    private let bits: Int
    private let places: [Int]
    private let target: SliceTarget
    private let slice: PlaneSlice

    /// Proves that bands lie inside the bytes, and rows inside the plane.
    ///
    /// - Parameters:
    ///   - bytes: the tile; must stay valid until `unpack()` returns.
    ///   - bits: bits per sample, 9 to 14.
    ///   - places: planes in the order of a square of four samples: upper left, upper right, lower left, lower right.
    ///   - target: one slice of even size.
    public init?(_ bytes: UnsafeRawBufferPointer, tile: CRXTile, bits: Int, places: [Int], target: SliceTarget) {
        guard target.slices.count == 1, let slice = target.slices.first, slice.width % 2 == 0, slice.height % 2 == 0,
            target.visibleCount(slice.width, x: slice.x) == slice.width,
            Self.edges.contains(slice.width / 2), Self.edges.contains(slice.height / 2), (9...14).contains(bits),
            places.sorted() == [0, 1, 2, 3], tile.planes.count == CRXBandRows.planeCount,
            let bandCount = tile.planes.first?.count, [1, 4, 7, 10].contains(bandCount),
            tile.planes.allSatisfy({ bands in
                bands.count == bandCount
                    && bands.allSatisfy { $0.bytes.lowerBound >= 0 && $0.bytes.upperBound <= bytes.count }
            })
        else { return nil }
        self.bytes = bytes
        self.tile = tile
        self.bits = bits
        self.places = places
        self.target = target
        self.slice = slice
    }

    /// Writes all samples to the target. Other threads see them after `StreamingStores.fence()`.
    ///
    /// - Returns: false if the codes are damaged, or so unusual that LibRaw has to judge them.
    public func unpack() -> Bool {
        var data = EntropyData()
        data.loadPlain(bytes, slack: CRXBandRows.slack(width: slice.width))
        let bytes = CRXBytes(start: UnsafePointer(data.start), end: UInt64(data.count) * 8)
        let levels = (tile.planes[0].count - 1) / 3
        let isSound = levels == 0 ? unpackBand(bytes) : unpackLevels(bytes, levels)
        // The readers hold pointers to the data.
        withExtendedLifetime(data) {}
        return isSound
    }

    private func band(_ index: Int, _ bytes: CRXBytes, width: Int) -> CRXBandRows {
        CRXBandRows(
            tile.planes.map { $0[index] }, bytes, width: width, isPredicted: index == 0 && tile.isPredicted)
    }

    private func unpackBand(_ bytes: CRXBytes) -> Bool {
        let band = band(0, bytes, width: slice.width / 2)
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: slice.width) { rows in
            guard let rows = rows.baseAddress else { return false }
            for y in 0..<slice.height / 2 {
                guard band.decode(), band.isInRange(bits: Self.maxBits) else { return false }
                store(y, rows) { band.last($0) }
            }
            return true
        }
    }

    private func unpackLevels(_ bytes: CRXBytes, _ levels: Int) -> Bool {
        let columns = tile.columns(width: slice.width / 2, levels: levels)
        var heights = [slice.height / 2]
        for _ in 1..<levels { heights.insert((heights[0] + 1) / 2, at: 0) }
        var lows = CRXLevel.Lows.band(band(0, bytes, width: columns[0].low))
        var top: CRXLevel?
        for (level, columns) in columns.enumerated() {
            let joined = CRXLevel(
                columns, height: heights[level], tile: tile, lows: lows,
                highColumns: band(3 * level + 1, bytes, width: columns.high),
                highRows: band(3 * level + 2, bytes, width: columns.low),
                highBoth: band(3 * level + 3, bytes, width: columns.high))
            lows = .level(joined)
            top = joined
        }
        guard let top else { return false }
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: slice.width) { rows in
            guard let rows = rows.baseAddress else { return false }
            for y in 0..<slice.height / 2 {
                guard top.next() else { return false }
                store(y, rows) { top.last($0) }
            }
            return true
        }
    }

    @inline(__always)
    private func store(
        _ y: Int, _ rows: UnsafeMutablePointer<UInt32>, _ plane: (Int) -> UnsafeMutablePointer<Int32>
    ) {
        let count = slice.width / 2
        for half in 0..<2 {
            let pairs = rows + half * count
            interleave(plane(places[2 * half]), plane(places[2 * half + 1]), to: pairs, count: count)
            StreamingStores.copy(
                pairs, to: target.row(slice.y + 2 * y + half) + slice.x,
                byteCount: slice.width * MemoryLayout<UInt16>.stride)
        }
    }

    private func interleave(
        _ left: UnsafePointer<Int32>, _ right: UnsafePointer<Int32>, to pairs: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        let middle = Int32(1) << Int32(bits - 1)
        let greatest = Int32(1) << Int32(bits) - 1
        for x in 0..<count {
            let first = UInt32(bitPattern: max(0, min(left[x] &+ middle, greatest)))
            let second = UInt32(bitPattern: max(0, min(right[x] &+ middle, greatest)))
            pairs[x] = (first | second &<< 16).littleEndian
        }
    }
}
