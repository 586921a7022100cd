import PictureFormat
import Pixels

/// The picture that an opcode list applies to: its position in the plane and the scale of its samples.
struct OpcodeStage {
    /// The whole sensor for the first list, the exposed area for the others.
    let bounds: PixelRect
    let layout: SensorLayout
    /// Whether each pixel of a mosaic already has three colours, as for the third list.
    let isInterpolated: Bool
    let black: BlackLevels
    /// The sample for the number 1, by channel.
    let white: [Float]

    /// Stored samples: black is 0, and the largest number is 1.
    init(stored size: PixelSize, _ layout: SensorLayout) {
        bounds = PixelRect(x: 0, y: 0, size: size)
        self.layout = layout
        isInterpolated = false
        black = .zero
        white = [65_535, 65_535, 65_535]
    }

    init(_ facts: SensorFacts, bounds: PixelRect, isInterpolated: Bool) {
        self.bounds = bounds
        layout = facts.layout
        self.isInterpolated = isInterpolated
        black = facts.black
        white = facts.white
    }

    /// Channels of an area's planes; nil if there are none. A mosaic is one plane until it is interpolated.
    func channels(_ area: OpcodeArea) -> ClosedRange<Int>? {
        let hasThree = layout == .linearRGB || isInterpolated && layout != .monochrome
        if !hasThree { return area.planes.contains(0) ? 0...2 : nil }
        return area.planes.lowerBound > 2 ? nil : area.planes.clamped(to: 0...2)
    }

    /// In plane coordinates.
    func lattice(_ area: OpcodeArea) -> PixelLattice? {
        let (rect, lattice) = (area.lattice.rect, area.lattice)
        return PixelLattice(
            moved(rect), rowPitch: lattice.rowPitch, columnPitch: lattice.columnPitch)
    }

    func moved(_ rect: PixelRect) -> PixelRect {
        PixelRect(x: bounds.x + rect.x, y: bounds.y + rect.y, size: rect.size)
    }

    /// Nil for other opcodes or invalid numbers.
    func gains(_ operation: Opcode.Operation) -> [SampleGain]? {
        switch operation {
        case .gainMap(let area, let map):
            guard let map = map.map(over: bounds) else { return nil }
            return gain(area, .map(map))
        case .scalePerRow(let area, let factors): return gain(area, .rows(factors))
        case .scalePerColumn(let area, let factors): return gain(area, .columns(factors))
        case .fixVignetteRadial(let coefficients, let centre):
            guard let lattice = PixelLattice(bounds), let radial = radial(coefficients, centre) else { return nil }
            return SampleGain(area: lattice, factor: .radial(radial)).map { [marked($0)] }
        default: return nil
        }
    }

    private func gain(_ area: OpcodeArea, _ factor: SampleGain.Factor) -> [SampleGain]? {
        guard let lattice = lattice(area) else { return nil }
        guard let channels = channels(area) else { return [] }
        return SampleGain(area: lattice, channels: channels, factor: factor).map { [marked($0)] }
    }

    /// Marks gains after interpolation as lens corrections.
    private func marked(_ gain: SampleGain) -> SampleGain {
        var gain = gain
        gain.isLens = isInterpolated
        return gain
    }

    private func radial(_ coefficients: [Double], _ centre: (x: Double, y: Double)) -> RadialGain? {
        let (place, distance) = circle(centre)
        return RadialGain(centreX: place.x, centreY: place.y, distance: distance, coefficients: coefficients)
    }

    /// Nil for other opcodes or invalid numbers.
    func warp(_ operation: Opcode.Operation) -> LensWarp? {
        let (coefficients, centre, formula): ([[Double]], (x: Double, y: Double), LensWarp.Formula)
        switch operation {
        case .warpRectilinear(let planes, let middle): (coefficients, centre, formula) = (planes, middle, .rectilinear)
        case .warpFisheye(let planes, let middle): (coefficients, centre, formula) = (planes, middle, .fisheye)
        default: return nil
        }
        let planes = coefficients.map { k in
            LensWarp.Plane(
                radial: SIMD4(k[0], k[1], k[2], k[3]), tangential: formula == .fisheye ? .zero : SIMD2(k[4], k[5]))
        }
        let (place, distance) = circle(centre)
        return LensWarp(
            centre: place, distance: distance, planes: Set(planes).count == 1 ? [planes[0]] : planes,
            formula: formula)
    }

    /// The centre, from a fraction of the way between first and last pixel, and the distance of the farthest corner.
    private func circle(_ centre: (x: Double, y: Double)) -> (place: SIMD2<Double>, distance: Double) {
        let (width, height) = (Double(bounds.size.width - 1), Double(bounds.size.height - 1))
        let (x, y) = (centre.x * width, centre.y * height)
        let (across, down) = (max(x.magnitude, (width - x).magnitude), max(y.magnitude, (height - y).magnitude))
        return (
            SIMD2(Double(bounds.x) + x, Double(bounds.y) + y), (across * across + down * down).squareRoot()
        )
    }
}
