import TIFF
import PictureFormat
import Pixels

extension DNGFacts {
    /// Black level of each sample: BlackLevel's block, which begins at the active area's corner, plus the mean deltas
    /// by column and row.
    func black(in size: PixelSize) -> BlackLevels? {
        let samples = samplesPerPixel
        let repeats = raw.integers(.blackLevelRepeatDim) ?? [1, 1]
        let edges = 1...64
        guard repeats.count == 2, edges.contains(repeats[0]), edges.contains(repeats[1]), samples >= 0,
            repeats[1] * samples <= 64
        else { return nil }
        let rows = repeats[0]
        let columns = repeats[1] * samples
        var block = raw.reals(.blackLevel) ?? [0]
        // Some programs write fewer values than the block has positions, or omit the block's size.
        if block.count != rows * columns, let first = block.first {
            block = [Double](repeating: first, count: rows * columns)
        }
        guard block.count == rows * columns else { return nil }
        let delta = mean(.blackLevelDeltaH) + mean(.blackLevelDeltaV)
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

    private func mean(_ tag: TIFFTag) -> Double {
        guard let values = raw.reals(tag), !values.isEmpty else { return 0 }
        let sum = values.reduce(0, +) / Double(values.count)
        return sum.isFinite ? sum : 0
    }

    /// Saturation of red, green and blue; without WhiteLevel, the maximum of the bits.
    var white: [Float] {
        let levels = (raw.reals(.whiteLevel) ?? []).filter { $0.isFinite && $0 > 0 && $0 <= 65_535 }.map { Float($0) }
        guard let first = levels.first else {
            let bits = raw.has(.linearizationTable) ? 16 : min(max(bitsPerSample, 1), 16)
            return [Float](repeating: Float(1 << bits - 1), count: 3)
        }
        return levels.count >= 3 && samplesPerPixel == 3 ? Array(levels.prefix(3)) : [first, first, first]
    }

    /// LinearizationTable for all 65,536 samples; nil for linear samples. Its last entry applies to all larger samples.
    var linearization: [UInt16]? {
        guard let values = raw.integers(.linearizationTable), let last = values.last, values.count <= 65_536 else {
            return nil
        }
        return (0..<65_536).map { UInt16(truncatingIfNeeded: $0 < values.count ? values[$0] : last) }
    }

    /// Digest of the picture's samples; nil if absent. All zeros mean absent. The main directory's digest belongs to
    /// the first picture. Ignored with a linearization table, because programs disagree on what they hash.
    private var digest: [Int]? {
        guard !raw.has(.linearizationTable), !isLossy,
            let digest = raw.integers(.newRawImageDigest) ?? (frame == 0 ? main.integers(.newRawImageDigest) : nil),
            digest.count == 16, digest.contains(where: { $0 != 0 })
        else { return nil }
        return digest
    }

    var hasDigest: Bool { digest != nil }

    /// Detects damage that decoding cannot. True without a digest.
    func matchesDigest(_ plane: borrowing Plane<UInt16>, threads: Int = 1) -> Bool {
        guard let digest else { return true }
        let found = plane.rawImageDigest(
            samplesPerPixel: samplesPerPixel, asBytes: bitsPerSample <= 8, threads: threads)
        return found.map { Int($0) } == digest
    }
}
