public import PictureFormat
public import Pixels

extension LensProfile {
    /// Corrections of the lens's faults on a sensor, in the coordinates of Lensfun 0.3: distances from the axis are in
    /// halves of the shorter side of the calibration sensor. Its size in pixels follows from both crop factors and the
    /// picture's diagonal.
    ///
    /// Corrections of distortion and lateral colour leave no empty corners: the picture is scaled as far as necessary.
    ///
    /// - Parameter crop: the picture inside the plane.
    public func corrections(_ crop: PixelRect) -> SensorCorrections {
        guard crop.size.width > 1, crop.size.height > 1 else { return .none }
        let scale = WarpScale(crop, warps(crop, scale: 1)).greatest
        return SensorCorrections(
            gains: vignetting.flatMap { gain($0, crop) }.map { [$0] } ?? [],
            warps: scale.map { warps(crop, scale: $0) } ?? [])
    }

    /// - Parameter scale: preceding scale of distances from the centre; 1 for the plain formulas.
    func warps(_ crop: PixelRect, scale: Double) -> [LensWarp] {
        let colour = lateralColour.flatMap { warp($0, crop) }
        let bend = distortion.flatMap { warp($0, crop, scale: scale) }
        let zoom = bend == nil && scale != 1 ? colour.flatMap { Self.zoom(scale, like: $0) } : nil
        return [colour, bend ?? zoom].compactMap(\.self)
    }

    /// A sensor's centre in the picture, and half its shorter side in pixels.
    private func geometry(_ sensor: CalibrationSensor, _ crop: PixelRect) -> (centre: SIMD2<Double>, distance: Double) {
        let size = SIMD2(Double(crop.size.width - 1), Double(crop.size.height - 1))
        // The picture's half diagonal equals that of the camera's sensor.
        let diagonal = (size * size).sum().squareRoot() / 2
        let (ratio, aspect) = (
            Double(sensor.cropFactor) / Double(cropFactor), Double(sensor.aspectRatio)
        )
        let distance = diagonal / ratio / (aspect * aspect + 1).squareRoot()
        let shift = SIMD2(Double(sensor.centre.x), Double(sensor.centre.y)) * (size.min() / 2)
        return (SIMD2(Double(crop.x), Double(crop.y)) + size / 2 + shift, distance)
    }

    private func warp(_ measured: Measured<DistortionPoint>, _ crop: PixelRect, scale: Double) -> LensWarp? {
        let (centre, distance) = geometry(measured.sensor, crop)
        let terms = measured.point.terms
        let (a, b, c) = (Double(terms[0]), Double(terms[1]), Double(terms[2]))
        let formula: LensWarp.Formula
        var radial: SIMD4<Double>
        switch measured.point.model {
        case .poly3: (formula, radial) = (.rectilinear, SIMD4(1 - a, a, 0, 0))
        case .poly5: (formula, radial) = (.rectilinear, SIMD4(1, a, b, 0))
        case .ptlens: (formula, radial) = (.cubic, SIMD4(1 - a - b - c, c, b, a))
        }
        // Powers of the preceding scale.
        var power = scale
        for index in 0..<4 {
            radial[index] *= power
            power *= formula == .cubic ? scale : scale * scale
        }
        return LensWarp(centre: centre, distance: distance, planes: [LensWarp.Plane(radial: radial)], formula: formula)
    }

    private func warp(_ measured: Measured<LateralColourPoint>, _ crop: PixelRect) -> LensWarp? {
        let (centre, distance) = geometry(measured.sensor, crop)
        func plane(_ terms: SIMD3<Float>) -> LensWarp.Plane {
            LensWarp.Plane(radial: SIMD4(Double(terms[0]), Double(terms[1]), Double(terms[2]), 0))
        }
        let planes = [plane(measured.point.red), plane(SIMD3(1, 0, 0)), plane(measured.point.blue)]
        return LensWarp(centre: centre, distance: distance, planes: planes, formula: .cubic)
    }

    private static func zoom(_ scale: Double, like warp: LensWarp) -> LensWarp? {
        LensWarp(
            centre: warp.centre, distance: warp.distance, planes: [LensWarp.Plane(radial: SIMD4(scale, 0, 0, 0))],
            formula: .cubic)
    }

    private func gain(_ measured: Measured<VignettingPoint>, _ crop: PixelRect) -> SampleGain? {
        let (centre, distance) = geometry(measured.sensor, crop)
        let aspect = Double(measured.sensor.aspectRatio)
        let terms = measured.point.terms
        guard let area = PixelLattice(crop),
            let radial = RadialGain(
                centreX: centre.x, centreY: centre.y, distance: distance * (aspect * aspect + 1).squareRoot(),
                coefficients: [Double(terms[0]), Double(terms[1]), Double(terms[2]), 0, 0], isReciprocal: true),
            var gain = SampleGain(area: area, factor: .radial(radial))
        else { return nil }
        gain.isLens = true
        return gain
    }
}

/// Maximum size of a corrected picture without empty corners.
private struct WarpScale {
    private let crop: PixelRect
    private let motions: [LensWarp.Motion]
    private let centre: SIMD2<Double>

    init(_ crop: PixelRect, _ warps: [LensWarp]) {
        self.crop = crop
        motions = (0..<3).flatMap { channel in warps.reversed().map { $0.motion(channel: channel) } }
        centre = warps.last?.centre ?? .zero
    }

    /// Maximum scale before the warps at which every border of the picture comes from inside the sensor's picture; nil
    /// if even a tenth fails.
    var greatest: Double? {
        guard !motions.isEmpty, isInside(0.1) else { return nil }
        // From the centre outwards, because far beyond the picture a formula may fold back into it.
        var inside = 0.1
        let step = 0.05
        while inside < 4, isInside(inside + step) { inside += step }
        var outside = inside + step
        for _ in 0..<24 {
            let middle = (inside + outside) / 2
            if isInside(middle) { inside = middle } else { outside = middle }
        }
        return inside
    }

    private func isInside(_ scale: Double) -> Bool {
        typealias Vector = LensWarp.Vector
        let (left, top) = (Double(crop.x), Double(crop.y))
        let (right, bottom) = (left + Double(crop.size.width - 1), top + Double(crop.size.height - 1))
        // A tolerance of half a pixel is still the same pixel.
        let (low, high) = (SIMD2(left, top) - 0.5, SIMD2(right, bottom) + 0.5)
        for step in 0...32 {
            let (x, y) = (left + Double(step) / 32 * (right - left), top + Double(step) / 32 * (bottom - top))
            let border = (Vector(x, x, left, right, x, x, left, right), Vector(top, bottom, y, y, top, bottom, y, y))
            let place = (centre.x + (border.0 - centre.x) * scale, centre.y + (border.1 - centre.y) * scale)
            let count = motions.count / 3
            for channel in 0..<3 {
                var found = place
                for motion in motions[channel * count..<(channel + 1) * count] {
                    found = motion.source(found.0, found.1)
                }
                for lane in 0..<4 {
                    guard found.0[lane] >= low.x, found.0[lane] <= high.x, found.1[lane] >= low.y,
                        found.1[lane] <= high.y
                    else { return false }
                }
            }
        }
        return true
    }
}
