import DecodeKernels
import PictureFormat
import Pixels

extension SensorFacts {
    /// Whether whole stretches of the picture are zero although black is not: holes of a file system, or an interrupted
    /// copy. Noise around black makes such stretches impossible in a real picture.
    func hasZeroRuns(in plane: borrowing Plane<UInt16>) -> Bool {
        let samples = layout.samplesPerPixel
        guard let lowestBlack = black.values.min(), lowestBlack >= 32,
            let picture = SampleRegion(crop, samplesPerPixel: samples, of: plane)
        else { return false }
        return picture.hasZeroRuns(limit: 1024, x: crop.x * samples)
    }
}
