public import PictureFormat
public import Pixels

/// A rectangle of a plane's samples. Valid while the plane lives.
public struct SampleRegion {
    private let start: UnsafeMutablePointer<UInt16>
    private let strideSamples: Int
    let width: Int
    let height: Int

    init(whole plane: borrowing Plane<UInt16>) {
        start = plane.row(0)
        strideSamples = plane.strideSamples
        width = plane.width
        height = plane.height
    }

    /// Proves that a rectangle of pixels lies inside the plane. `samplesPerPixel` is 1 to 4.
    public init?(_ rect: PixelRect, samplesPerPixel: Int, of plane: borrowing Plane<UInt16>) {
        guard (1...4).contains(samplesPerPixel), rect.x >= 0, rect.y >= 0, rect.size.width > 0, rect.size.height > 0
        else { return nil }
        let columns = plane.width / samplesPerPixel
        guard rect.size.width <= columns, rect.x <= columns - rect.size.width, rect.size.height <= plane.height,
            rect.y <= plane.height - rect.size.height
        else { return nil }
        start = plane.row(rect.y) + rect.x * samplesPerPixel
        strideSamples = plane.strideSamples
        width = rect.size.width * samplesPerPixel
        height = rect.size.height
    }

    /// First sample of a row, counted from the region's first row.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { start + y * strideSamples }
}

extension SampleRegion {
    /// The brightest sample.
    public var maximum: UInt16 {
        var found: UInt16 = 0
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width { found = max(found, row[x]) }
        }
        return found
    }

    /// Number of samples equal to `top`, and of samples from `bottom` to below `top`.
    public func count(from bottom: UInt16, to top: UInt16) -> (top: Int, below: Int) {
        var counts = (top: 0, below: 0)
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width where row[x] > bottom {
                if row[x] == top { counts.top += 1 } else { counts.below += 1 }
            }
        }
        return counts
    }

    /// Whether at least `limit` samples are 0 and lie in horizontal runs of 256 or more, or of a whole row.
    ///
    /// - Parameter x: the region's first column in the plane. A first pass checks every 128th column of the plane,
    ///   because each such run covers one.
    public func hasZeroRuns(limit: Int, x left: Int) -> Bool {
        var zeros = 0
        for y in 0..<height {
            zeros += zerosInRuns(row(y), left)
            if zeros >= limit { return true }
        }
        return false
    }

    private func zerosInRuns(_ row: UnsafePointer<UInt16>, _ left: Int) -> Int {
        let row = row - left
        let right = left + width
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
            if end - start >= min(256, width) { found += end - start }
            x = (end / 128 + 1) * 128
        }
        return found
    }
}

extension SampleRegion {
    /// Replaces each sample of a plane by its table entry.
    ///
    /// - Parameter table: 65,536 entries.
    /// - Returns: false, without effect, if the table has another size.
    public static func map(_ plane: borrowing Plane<UInt16>, by table: [UInt16]) -> Bool {
        guard table.count == 65_536 else { return false }
        let region = SampleRegion(whole: plane)
        table.withUnsafeBufferPointer { table in
            for y in 0..<region.height {
                let row = region.row(y)
                for x in 0..<region.width { row[x] = table[Int(row[x])] }
            }
        }
        return true
    }
}
