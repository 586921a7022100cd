import PictureFormat
import Pixels

extension BayerDemosaic: RootSource {
    func fillRoots(
        _ y: Int, red: UnsafeMutablePointer<Int16>, green: UnsafeMutablePointer<Int16>,
        blue: UnsafeMutablePointer<Int16>
    ) {
        let row = y + mosaic.leadY
        let pair = row >> 1
        if row & 1 == 0 {
            let d = refined(0, pair)
            let (above, below) = (refined(1, pair - 1), refined(1, pair))
            colours.atOther(mosaic.half(0, pair), d, above - 1, below - 1, into: 0, other: 2)
            colours.atGreen(mosaic.half(1, pair), d, d + 1, above, below, into: 1)
            colours.join(red, green, blue, leadX: mosaic.leadX)
        } else {
            let d = refined(1, pair)
            let (above, below) = (refined(0, pair), refined(0, pair + 1))
            colours.atOther(mosaic.half(3, pair), d, above, below, into: 1, other: 0)
            colours.atGreen(mosaic.half(2, pair), above, below, d - 1, d, into: 0)
            colours.join(red, green, blue, leadX: mosaic.leadX)
        }
    }
}

/// Colours of a Bayer row as roots within 0…16,383, in halves by the samples' place in the pattern.
final class BayerColours {
    typealias Row = UnsafePointer<Int16>

    private let count: Int
    /// Red, green and blue of samples at even places, then at odd places.
    private let store: Int16ScratchRows

    init(count: Int) {
        self.count = count
        store = Int16ScratchRows(rows: 6, count: count)
    }

    /// At red or blue samples. `d` is green minus the sample; `p` and `q` are green minus the other colour in the rows
    /// above and below, from the previous column. `other` is 0 for red, 2 for blue.
    func atOther(_ sample: Row, _ d: Row, _ p: Row, _ q: Row, into half: Int, other: Int) {
        let (green, own, opposite) = (
            store.row(3 * half + 1), store.row(3 * half + 2 - other), store.row(3 * half + other)
        )
        let (none, top) = (Int16(0), Int16(FixedPointRoots.max))
        for x in 0..<count { green[x] = min(max(sample[x] &+ d[x], none), top) }
        for x in 0..<count { own[x] = min(max(sample[x], none), top) }
        for x in 0..<count {
            let mean = ((p[x] &+ q[x]) &>> 1 &+ (p[x + 1] &+ q[x + 1]) &>> 1) &>> 1
            opposite[x] = min(max(green[x] &- mean, none), top)
        }
    }

    /// At green samples, subtracts the mean of `a` and `b` for red, and of `c` and `d` for blue.
    func atGreen(_ sample: Row, _ a: Row, _ b: Row, _ c: Row, _ d: Row, into half: Int) {
        let (red, green, blue) = (store.row(3 * half), store.row(3 * half + 1), store.row(3 * half + 2))
        let (none, top) = (Int16(0), Int16(FixedPointRoots.max))
        for x in 0..<count { green[x] = min(max(sample[x], none), top) }
        for x in 0..<count { red[x] = min(max(sample[x] &- (a[x] &+ b[x]) &>> 1, none), top) }
        for x in 0..<count { blue[x] = min(max(sample[x] &- (c[x] &+ d[x]) &>> 1, none), top) }
    }

    /// Writes both halves in reading order. `leadX` is the number of pattern samples before the picture, 0 or 1.
    func join(
        _ red: UnsafeMutablePointer<Int16>, _ green: UnsafeMutablePointer<Int16>, _ blue: UnsafeMutablePointer<Int16>,
        leadX: Int
    ) {
        for (channel, row) in [red, green, blue].enumerated() {
            RowJoin.join(store.row(channel), store.row(3 + channel), into: row - leadX, count: count)
        }
    }
}
