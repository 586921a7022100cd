import DecodeKernels
import PictureFormat
import Pixels

extension SensorFacts {
    /// Lowers the white level to the value at which the samples of this picture clip, if that is lower. A level too
    /// high turns blown highlights magenta.
    ///
    /// A clipping sensor accumulates its brightest samples at one value. dcraw lowers its level to the brightest sample
    /// alone (Coffin, dcraw 9, `-S`). The accumulation distinguishes a clipped picture from a merely dark one.
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
