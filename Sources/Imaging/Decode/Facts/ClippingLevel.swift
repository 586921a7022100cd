import DecodeKernels
import PictureFormat
import Pixels

extension SensorFacts {
    /// Lowers the white level to the value at which this picture's samples clip. With too high a level, blown
    /// highlights turn magenta.
    ///
    /// A clipping sensor accumulates its brightest samples at one value. dcraw lowers the level to the brightest sample
    /// alone (Coffin, dcraw 9, `-S`); the accumulation also distinguishes a clipped picture from a dark one.
    mutating func lowerWhite(toClippingIn plane: borrowing Plane<UInt16>) {
        guard let white = white.min(), white > 255,
            let picture = SampleRegion(crop, samplesPerPixel: layout.samplesPerPixel, of: plane)
        else { return }
        let brightest = picture.maximum
        guard Float(brightest) < white, Float(brightest) > white * 0.75 else { return }
        let (top, below) = picture.count(from: brightest - brightest / 64, to: brightest)
        guard top > 64, top > below / 8 else { return }
        self.white = self.white.map { min($0, Float(brightest)) }
    }
}
