import DecodeKernels
import PictureFormat
import Pixels

extension SensorFacts {
    /// Whether long stretches of the picture are zero although black is not: a hole in the file system or an
    /// interrupted copy. Noise around black prevents such stretches in real pictures.
    func hasZeroRuns(in plane: borrowing Plane<UInt16>) -> Bool {
        let samples = layout.samplesPerPixel
        guard let lowestBlack = black.values.min(), lowestBlack >= 32,
            let picture = SampleRegion(crop, samplesPerPixel: samples, of: plane)
        else { return false }
        return picture.hasZeroRuns(limit: 1024, x: crop.x * samples)
    }
}
