internal import PictureFormat
public import Pixels

/// Measures a picture's mean light by channel. Valid while the plane lives.
public struct LightMeter {
    private static let edge = 12

    private let region: SampleRegion
    private let facts: SensorFacts
    private let samplesPerPixel: Int

    /// Proves that the picture lies inside the plane, and that pattern and levels have their layout's sizes.
    public init?(_ plane: borrowing Plane<UInt16>, _ facts: SensorFacts) {
        switch facts.layout {
        case .bayer(let pattern): guard pattern.count == 4 else { return nil }
        case .xTrans(let pattern): guard pattern.count == 36 else { return nil }
        case .monochrome, .linearRGB: break
        }
        // The black levels' type guarantees one value for each position of their block.
        guard facts.white.count == 3,
            let region = SampleRegion(facts.crop, samplesPerPixel: facts.layout.samplesPerPixel, of: plane)
        else { return nil }
        self.region = region
        self.facts = facts
        samplesPerPixel = facts.layout.samplesPerPixel
    }

    /// Mean red, green and blue, relative to full scale, over all blocks of 12 × 12 pixels whose samples are all below
    /// `limit`. 0 for a channel without such a block.
    public func means(below limit: UInt16) -> [Float] {
        let edge = Self.edge
        var sums: [Double] = [0, 0, 0]
        var counts: [Double] = [0, 0, 0]
        for y in stride(from: 0, to: region.height - edge + 1, by: edge) {
            for x in stride(from: 0, to: region.width - (edge - 1) * samplesPerPixel, by: edge * samplesPerPixel) {
                let block = block(x: x, y: y)
                guard block.brightest < limit else { continue }
                for channel in 0..<3 {
                    sums[channel] += block.sums[channel]
                    counts[channel] += block.counts[channel]
                }
            }
        }
        return (0..<3).map { counts[$0] > 0 ? Float(sums[$0] / counts[$0]) : 0 }
    }

    private struct Block {
        var sums: [Double] = [0, 0, 0]
        var counts: [Double] = [0, 0, 0]
        var brightest: UInt16 = 0
    }

    /// In samples from the region's left edge, and rows from its top.
    private func block(x left: Int, y top: Int) -> Block {
        let black = facts.black
        var block = Block()
        for row in top..<top + Self.edge {
            let samples = region.row(row)
            let y = facts.crop.y + row
            for column in left..<left + Self.edge * samplesPerPixel {
                let x = facts.crop.x * samplesPerPixel + column
                let channel = facts.layout.channel(x: x, y: y)
                let position = y % black.repeatSize.height * black.repeatSize.width + x % black.repeatSize.width
                let level = black.values[position]
                block.sums[channel] += Double(
                    (Float(samples[column]) - level) / max(facts.white[channel] - level, 1))
                block.counts[channel] += 1
                block.brightest = max(block.brightest, samples[column])
            }
        }
        return block
    }
}
