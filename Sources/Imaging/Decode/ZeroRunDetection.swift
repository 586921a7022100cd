import PictureFormat
import Pixels

extension SensorFacts {
    /// True where stretches of the picture are zero to the last sample although black is not: a file system's holes, a
    /// copy broken off. Noise around black makes such stretches impossible in a real picture.
    func hasHoles(in plane: borrowing Plane<UInt16>) -> Bool {
        let samples = layout.samplesPerPixel
        guard let lowestBlack = black.values.min(), lowestBlack >= 32 else { return false }
        let left = crop.x * samples
        let right = (crop.x + crop.size.width) * samples
        var zeros = 0
        for y in crop.y..<crop.y + crop.size.height {
            zeros += zerosInRuns(plane.row(y), left, right)
            if zeros >= 1024 { return true }
        }
        return false
    }

    /// Zeros of a row that stand in runs of at least 256: each such run covers a whole 128th place.
    private func zerosInRuns(_ row: UnsafePointer<UInt16>, _ left: Int, _ right: Int) -> Int {
        var found = 0
        var x = (left + 127) / 128 * 128
        while x < right {
            guard row[x] == 0 else {
                x += 128
                continue
            }
            var start = x
            var end = x
            while start > left, row[start - 1] == 0 { start -= 1 }
            while end < right, row[end] == 0 { end += 1 }
            if end - start >= min(256, right - left) { found += end - start }
            x = (end / 128 + 1) * 128
        }
        return found
    }
}
