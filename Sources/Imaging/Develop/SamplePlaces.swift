import PictureFormat
import Pixels

/// What each sample of a sensor counts for, by its place in the period in which mosaic and black levels repeat: made
/// once, so that a loop over samples has nothing to find out.
struct SamplePlaces {
    struct Place {
        let black: Float
        /// From counts above black to balanced light, in the lane of the sample's channel; 0 in the others. There is a
        /// fourth lane because sums of three are compiled lane by lane.
        let scale: SIMD4<Float>
        /// 1 in the lane of the sample's channel; 0 in the others.
        let share: SIMD4<Float>
    }

    let period: PixelSize
    /// Row by row.
    private let places: [Place]
    /// A multiple of every mosaic's own period.
    private static let mosaic = 6

    init(_ layout: SensorLayout, _ levels: SampleLevels) {
        let black = levels.black.repeatSize
        let period = PixelSize(width: Self.mosaic * black.width, height: Self.mosaic * black.height)
        self.period = period
        places = (0..<period.pixelCount).map { index in
            let (y, x) = index.quotientAndRemainder(dividingBy: period.width)
            var share = SIMD4<Float>.zero
            let channel = layout.channel(x: x, y: y)
            share[channel] = 1
            return Place(
                black: levels.blackLevel(x: x, y: y), scale: share * levels.scale[channel], share: share)
        }
    }

    /// Adds up the light of some samples of a row, and how many there are, by channel and in their order.
    ///
    /// - Parameters:
    ///   - line: sample 0 of the plane's row `y`.
    ///   - sums: red, green, blue, and nothing.
    func add(
        _ line: UnsafePointer<UInt16>, _ columns: Range<Int>, y: Int, to sums: inout SIMD4<Float>,
        _ counts: inout SIMD4<Float>
    ) {
        let row = y % period.height * period.width
        var x = columns.lowerBound % period.width
        places.withUnsafeBufferPointer { places in
            for column in columns {
                let place = places[row + x]
                sums += place.scale * (Float(line[column]) - place.black)
                counts += place.share
                x = x + 1 == period.width ? 0 : x + 1
            }
        }
    }
}
