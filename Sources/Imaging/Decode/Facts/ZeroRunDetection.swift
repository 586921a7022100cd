import DecodeKernels
import PictureFormat
import Pixels

extension SensorFacts {
    /// Whether stretches of the picture are zero to the last sample although black is not: a file system's holes, or a
    /// copy that was broken off. Noise around black makes such stretches impossible in a real picture.
    func hasZeroRuns(in plane: borrowing Plane<UInt16>) -> Bool {
        let samples = layout.samplesPerPixel
        guard let lowestBlack = black.values.min(), lowestBlack >= 32,
            let picture = SampleRegion(crop, samplesPerPixel: samples, of: plane)
        else { return false }
        return picture.hasZeroRuns(limit: 1024, x: crop.x * samples)
    }
}
