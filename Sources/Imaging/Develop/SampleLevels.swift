import PictureFormat
import Pixels

/// Sensor counts to balanced light: subtract black, scale so that saturation is the channel's white balance factor.
struct SampleLevels: Sendable {
    let black: BlackLevels
    /// By channel: red, green, blue.
    let scale: [Float]
    /// Balanced value of a saturated sample, by channel.
    let clip: [Float]
    /// No count below this is near saturation in any channel.
    let brightCount: UInt16

    /// - Parameter saturation: share of the white level at which each channel saturates.
    init(facts: SensorFacts, multipliers: [Float], saturation: [Float] = [1, 1, 1]) {
        black = facts.black
        let mean = facts.black.values.reduce(0, +) / Float(facts.black.values.count)
        scale = (0..<3).map { multipliers[$0] / (facts.white[$0] - mean) }
        clip = zip(multipliers, saturation).map { $0 * $1 }
        let lowest = zip(scale, clip).map { Highlights.onset * $1 / $0 }.min() ?? 0
        brightCount = UInt16(min(max(lowest + (facts.black.values.min() ?? 0), 0), 65_535))
    }

    /// The black level of a sample of the plane.
    func blackLevel(x: Int, y: Int) -> Float {
        black.values[y % black.repeatSize.height * black.repeatSize.width + x % black.repeatSize.width]
    }
}
