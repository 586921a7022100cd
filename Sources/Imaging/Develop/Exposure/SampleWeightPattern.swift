import DevelopKernels
import PictureFormat
import Pixels

/// Contribution of each sensor sample to the channels, by its position in the common period of mosaic and black levels.
/// Computed once, so that loops over samples have no branches.
struct SampleWeightPattern {
    struct Weight {
        let black: Float
        /// Light per count above black in the lane of the sample's channel, else 0. The fourth lane exists because sums
        /// of three are compiled lane by lane.
        let scale: SIMD4<Float>
        /// 1 in the lane of the sample's channel, else 0.
        let count: SIMD4<Float>
    }

    private let period: PixelSize
    /// Of one period, row by row.
    private let weights: [Weight]
    /// A multiple of every mosaic's period.
    private static let mosaicPeriod = 6

    init(_ layout: SensorLayout, _ levels: SampleLevels) {
        let black = levels.black.repeatSize
        let period = PixelSize(width: Self.mosaicPeriod * black.width, height: Self.mosaicPeriod * black.height)
        self.period = period
        weights = (0..<period.pixelCount).map { index in
            let (y, x) = index.quotientAndRemainder(dividingBy: period.width)
            var count = SIMD4<Float>.zero
            let channel = layout.channel(x: x, y: y)
            count[channel] = 1
            return Weight(
                black: levels.blackLevel(x: x, y: y), scale: count * levels.scale[channel], count: count)
        }
    }

    /// Adds the light of samples in a row to sums of red, green, blue and an unused lane, and their number to counts.
    /// `line` is sample 0 of the plane's row `y`, which has all `columns`.
    func add(
        _ line: UnsafePointer<UInt16>, _ columns: Range<Int>, y: Int, to sums: inout SIMD4<Float>,
        _ counts: inout SIMD4<Float>
    ) {
        let row = y % period.height * period.width
        var x = columns.lowerBound % period.width
        // Row and column modulo the period keep the index inside.
        unsafe weights.withUnsafeBufferPointer { weights in
            for column in columns {
                let weight = unsafe weights[row + x]
                sums += weight.scale * (Float(unsafe line[column]) - weight.black)
                counts += weight.count
                x = x + 1 == period.width ? 0 : x + 1
            }
        }
    }
}
