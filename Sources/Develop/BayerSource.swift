import Pixels

/// Edge-directed interpolation of a Bayer mosaic.
///
/// Green first, by the estimates of J. F. Hamilton and J. E. Adams (US patent 5,629,734, 1997, expired) along rows
/// and columns, blended by how little each direction changes; then red and blue by interpolating their differences
/// from green, along the steadier diagonal at the opposite colour's places.
final class BayerSource: RowSource {
    /// Pairs loaded ahead of the one that is interpolated.
    private static let ahead = 3

    private let mosaic: MosaicRows
    /// By pair: green at red, red - green, green at blue, blue - green.
    private let planes: RowStore
    private var nextLoad = 0
    private var nextGreen = 0
    private var nextPair = 0

    init(_ mosaic: MosaicRows) {
        self.mosaic = mosaic
        planes = RowStore(rows: 4 * MosaicRows.depth, count: mosaic.count)
    }

    func begin(at y: Int) {
        nextPair = (y + mosaic.leadY) >> 1
        nextGreen = nextPair - 1
        nextLoad = nextPair - Self.ahead
    }

    func produce(_ y: Int, into rows: SceneRows) {
        let pair = (y + mosaic.leadY) >> 1
        guard pair == nextPair else { return }
        while nextLoad <= pair + Self.ahead {
            mosaic.load(nextLoad)
            nextLoad += 1
        }
        while nextGreen <= pair + 1 {
            green(nextGreen)
            nextGreen += 1
        }
        let first = 2 * pair - mosaic.leadY
        interpolate(pair, upper: rows.row(first), lower: rows.row(first + 1))
        nextPair += 1
    }

    @inline(__always)
    private func plane(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        planes.row(4 * (pair & (MosaicRows.depth - 1)) + index)
    }

    @inline(__always)
    private func estimate(
        _ c: Float, _ cw: Float, _ ce: Float, _ cn: Float, _ cs: Float, _ w: Float, _ e: Float, _ n: Float, _ s: Float
    ) -> Float {
        let lh = 2 * c - cw - ce
        let lv = 2 * c - cn - cs
        let gh = 0.5 * (w + e) + 0.25 * lh
        let gv = 0.5 * (n + s) + 0.25 * lv
        let dh = 2 * (w - e).magnitude + lh.magnitude + (c - cw).magnitude + (c - ce).magnitude
        let dv = 2 * (n - s).magnitude + lv.magnitude + (c - cn).magnitude + (c - cs).magnitude
        let wh = dv * dv + 1e-9
        let wv = dh * dh + 1e-9
        return (gh * wh + gv * wv) / (wh + wv)
    }

    private func green(_ p: Int) {
        let margin = 2
        let r0 = mosaic.half(0, p)
        let r1 = mosaic.half(0, p + 1)
        let rm = mosaic.half(0, p - 1)
        let g0 = mosaic.half(1, p)
        let g1 = mosaic.half(1, p + 1)
        let h0 = mosaic.half(2, p)
        let hm = mosaic.half(2, p - 1)
        let b0 = mosaic.half(3, p)
        let b1 = mosaic.half(3, p + 1)
        let bm = mosaic.half(3, p - 1)
        let atRed = plane(0, p)
        let redDifference = plane(1, p)
        let atBlue = plane(2, p)
        let blueDifference = plane(3, p)
        for x in -margin..<(mosaic.count + margin) {
            let u = estimate(r0[x], r0[x - 1], r0[x + 1], rm[x], r1[x], g0[x - 1], g0[x], hm[x], h0[x])
            atRed[x] = u
            redDifference[x] = r0[x] - u
            let v = estimate(b0[x], b0[x - 1], b0[x + 1], bm[x], b1[x], h0[x], h0[x + 1], g0[x], g1[x])
            atBlue[x] = v
            blueDifference[x] = b0[x] - v
        }
    }

    private func interpolate(_ p: Int, upper: PixelRow, lower: PixelRow) {
        let lead = mosaic.leadX
        let r0 = mosaic.half(0, p)
        let g0 = mosaic.half(1, p)
        let h0 = mosaic.half(2, p)
        let b0 = mosaic.half(3, p)
        let gr = plane(0, p)
        let dr = plane(1, p)
        let drs = plane(1, p + 1)
        let gb = plane(2, p)
        let db = plane(3, p)
        let dbn = plane(3, p - 1)
        let (ur, ug, ub) = (upper.red - lead, upper.green - lead, upper.blue - lead)
        let (lr, lg, lb) = (lower.red - lead, lower.green - lead, lower.blue - lead)
        for x in 0..<mosaic.count {
            ur[2 * x] = r0[x]
            ug[2 * x] = gr[x]
            ub[2 * x] = gr[x] + 0.25 * (dbn[x - 1] + db[x] + dbn[x] + db[x - 1])
            ur[2 * x + 1] = g0[x] + 0.5 * (dr[x] + dr[x + 1])
            ug[2 * x + 1] = g0[x]
            ub[2 * x + 1] = g0[x] + 0.5 * (dbn[x] + db[x])
        }
        for x in 0..<mosaic.count {
            lr[2 * x] = h0[x] + 0.5 * (dr[x] + drs[x])
            lg[2 * x] = h0[x]
            lb[2 * x] = h0[x] + 0.5 * (db[x - 1] + db[x])
            lr[2 * x + 1] = gb[x] + 0.25 * (dr[x] + dr[x + 1] + drs[x] + drs[x + 1])
            lg[2 * x + 1] = gb[x]
            lb[2 * x + 1] = b0[x]
        }
    }
}
