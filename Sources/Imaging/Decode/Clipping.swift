import PictureFormat
import Pixels

extension SensorFacts {
    /// Lowers the white level to where the samples of this picture clip, should that be lower: a level too high turns
    /// burnt highlights magenta.
    ///
    /// A sensor that clips piles its brightest samples up on one value. dcraw lowers its level to the brightest sample
    /// alone (Coffin, dcraw 9, `-S`); the pile keeps a merely dark picture from being taken for a clipped one.
    mutating func lowerWhite(toClippingIn plane: borrowing Plane<UInt16>) {
        guard let white = white.min(), white > 255 else { return }
        let rect = sampleRect
        var brightest: UInt16 = 0
        for y in rect.y..<rect.y + rect.size.height {
            brightest = max(brightest, largest(plane.row(y) + rect.x, rect.size.width))
        }
        guard Float(brightest) < white, Float(brightest) > white * 0.75 else { return }
        var atTop = 0
        var below = 0
        let near = brightest - brightest / 64
        for y in rect.y..<rect.y + rect.size.height {
            let row = plane.row(y) + rect.x
            for x in 0..<rect.size.width where row[x] > near {
                if row[x] == brightest { atTop += 1 } else { below += 1 }
            }
        }
        guard atTop > 64, atTop > below / 8 else { return }
        self.white = self.white.map { min($0, Float(brightest)) }
    }

    /// The crop, in samples.
    private var sampleRect: PixelRect {
        let samples = layout.samplesPerPixel
        return PixelRect(
            x: crop.x * samples, y: crop.y,
            size: PixelSize(width: crop.size.width * samples, height: crop.size.height))
    }
}

private func largest(_ samples: UnsafePointer<UInt16>, _ count: Int) -> UInt16 {
    var found: UInt16 = 0
    for x in 0..<count { found = max(found, samples[x]) }
    return found
}
