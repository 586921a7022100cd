import PictureFormat
import Pixels

extension DNGFacts {
    /// Black of each sample of the plane: BlackLevel's block, which starts at the active area's corner, and the mean of
    /// the deltas by column and by row.
    func black(in size: PixelSize) -> BlackLevels? {
        let samples = samplesPerPixel
        let repeats = raw.integers(50713) ?? [1, 1]
        guard repeats.count == 2, repeats[0] > 0, repeats[1] > 0, repeats[0] <= 64, repeats[1] * samples <= 64 else {
            return nil
        }
        let rows = repeats[0]
        let columns = repeats[1] * samples
        var block = raw.reals(50714) ?? [0]
        // Some writers give fewer values than their block has places, or forget to state the block.
        if block.count != rows * columns, let first = block.first {
            block = [Double](repeating: first, count: rows * columns)
        }
        guard block.count == rows * columns else { return nil }
        let delta = mean(50715) + mean(50716)
        let area = activeArea(in: size)
        let values = (0..<rows * columns).map { index in
            let y = (index / columns - area.y % rows + rows) % rows
            let shift = area.x * samples % columns
            let x = (index % columns - shift + columns) % columns
            return Float(block[y * columns + x] + delta)
        }
        if let first = values.first, values.allSatisfy({ $0 == first }), samples == 1 {
            return BlackLevels(repeatSize: PixelSize(width: 1, height: 1), values: [first])
        }
        return BlackLevels(repeatSize: PixelSize(width: columns, height: rows), values: values)
    }

    private func mean(_ tag: Int) -> Double {
        guard let values = raw.reals(tag), !values.isEmpty else { return 0 }
        let sum = values.reduce(0, +) / Double(values.count)
        return sum.isFinite ? sum : 0
    }

    /// Saturation, red green blue; without a WhiteLevel what the bits can hold.
    var white: [Float] {
        let levels = (raw.reals(50717) ?? []).filter { $0.isFinite && $0 > 0 && $0 <= 65_535 }.map { Float($0) }
        guard let first = levels.first else {
            let bits = raw.has(50712) ? 16 : min(max(bitsPerSample, 1), 16)
            return [Float](repeating: Float(1 << bits - 1), count: 3)
        }
        return levels.count >= 3 && samplesPerPixel == 3 ? Array(levels.prefix(3)) : [first, first, first]
    }

    /// What stored samples stand for (LinearizationTable); nil where they stand for themselves. The last value goes for
    /// all that follow.
    var linearization: [UInt16]? {
        guard let values = raw.integers(50712), let last = values.last, values.count <= 65_536 else { return nil }
        return (0..<65_536).map { UInt16(truncatingIfNeeded: $0 < values.count ? values[$0] : last) }
    }

    /// A digest of the picture's samples; nil where there is none. All zeros stand for none, and the main directory's
    /// is of the first picture. Where a linearization table stands between the samples and their meaning, writers
    /// differ in what they hash.
    private var digest: [Int]? {
        guard !raw.has(50712), let digest = raw.integers(51111) ?? (frame == 0 ? main.integers(51111) : nil),
            digest.count == 16, digest.contains(where: { $0 != 0 })
        else { return nil }
        return digest
    }

    var hasDigest: Bool { digest != nil }

    /// False where the samples are not those the digest was made of: the only damage that decoding itself cannot see.
    func matchesDigest(_ plane: borrowing Plane<UInt16>, threads: Int = 1) -> Bool {
        guard let digest else { return true }
        let found = plane.rawImageDigest(
            samplesPerPixel: samplesPerPixel, asBytes: bitsPerSample <= 8, threads: threads)
        return found.map { Int($0) } == digest
    }
}
