import ColourScience
import PictureFormat
import Pixels

extension SensorFacts {
    /// Fills in a white balance where the camera recorded none (some only wrote "automatic").
    ///
    /// The mean of a picture is taken for grey (Buchsbaum 1980, "A spatial processor model for object colour
    /// perception") and the nearest light on the Planckian locus looked for. The result lies half-way, in mired,
    /// between that light and daylight: grey worlds are rare, and cameras leave evening light its warmth.
    mutating func estimateMissingWhiteBalance(from plane: borrowing Plane<UInt16>) {
        guard whiteBalance == nil, let matrix = matrices.last, let means = meanLight(of: plane) else { return }
        let grey = means.map { means[1] / $0 }
        let candidates = stride(from: Float(100), through: 420, by: 2)
        let nearest = candidates.min { distance($0, grey, matrix) < distance($1, grey, matrix) }
        guard let nearest, let gains = matrix.gains(mired: (nearest + daylightMired) / 2) else { return }
        whiteBalance = gains
        whiteBalanceIsEstimated = true
    }

    private var daylightMired: Float { 182 }

    /// How far the gains for a light are from the wanted ones; symmetric in ratios.
    private func distance(_ mired: Float, _ wanted: [Float], _ matrix: CameraMatrix) -> Float {
        guard let gains = matrix.gains(mired: mired) else { return .infinity }
        let red = gains[0] / wanted[0]
        let blue = gains[2] / wanted[2]
        return red + 1 / red + blue + 1 / blue
    }

    /// Mean light of red, green and blue, of blocks where nothing clips and something is to be seen.
    private func meanLight(of plane: borrowing Plane<UInt16>) -> [Float]? {
        guard layout != .monochrome else { return nil }
        let samples = layout.samplesPerPixel
        let edge = 12
        var sums: [Double] = [0, 0, 0]
        var counts: [Double] = [0, 0, 0]
        let limit = UInt16(min(max((white.min() ?? 0) * 0.97, 1), 65_535))
        for y in stride(from: crop.y, to: crop.y + crop.size.height - edge + 1, by: edge) {
            let right = (crop.x + crop.size.width - edge + 1) * samples
            for x in stride(from: crop.x * samples, to: right, by: edge * samples) {
                let block = BlockMeans(plane, x: x, y: y, width: edge * samples, height: edge, facts: self)
                guard block.brightest < limit else { continue }
                for colour in 0..<3 {
                    sums[colour] += block.sums[colour]
                    counts[colour] += block.counts[colour]
                }
            }
        }
        let means = (0..<3).map { counts[$0] > 0 ? Float(sums[$0] / counts[$0]) : 0 }
        return means.allSatisfy({ $0 > 0.000_1 }) ? means : nil
    }

    func colour(x: Int, y: Int) -> Int {
        switch layout {
        case .bayer(let pattern): Int(pattern[(y & 1) * 2 + (x & 1)].rawValue)
        case .xTrans(let pattern): Int(pattern[y % 6 * 6 + x % 6].rawValue)
        case .linearRGB: x % 3
        case .monochrome: 1
        }
    }
}

/// Light of the three colours in a block, of full scale 1.
private struct BlockMeans {
    var sums: [Double] = [0, 0, 0]
    var counts: [Double] = [0, 0, 0]
    var brightest: UInt16 = 0

    init(_ plane: borrowing Plane<UInt16>, x left: Int, y top: Int, width: Int, height: Int, facts: SensorFacts) {
        let black = facts.black
        for y in top..<top + height {
            let row = plane.row(y)
            for x in left..<left + width {
                let colour = facts.colour(x: x, y: y)
                let place = y % black.repeatSize.height * black.repeatSize.width + x % black.repeatSize.width
                let level = black.values[place]
                sums[colour] += Double((Float(row[x]) - level) / max(facts.white[colour] - level, 1))
                counts[colour] += 1
                brightest = max(brightest, row[x])
            }
        }
    }
}

extension CameraMatrix {
    /// What makes a black body's light neutral; nil where the camera would see none of a colour.
    /// - Parameter mired: a million over kelvin.
    func gains(mired: Float) -> [Float]? {
        let (x, y) = PlanckianLocus.chromaticity(reciprocalKilokelvin: mired / 1000)
        let xyz = [x / y, 1, (1 - x - y) / y]
        let elements = xyzToCamera.elements
        let seen = [0, 3, 6].map { row -> Float in
            elements[row] * xyz[0] + elements[row + 1] * xyz[1] + elements[row + 2] * xyz[2]
        }
        guard seen.allSatisfy({ $0.isFinite && $0 > 0.001 }) else { return nil }
        return seen.map { seen[1] / $0 }
    }
}
