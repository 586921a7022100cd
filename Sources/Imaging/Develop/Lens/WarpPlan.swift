import DevelopKernels
import PictureFormat
import Pixels

/// The part of the sensor that a warped picture needs, and the source of each pixel.
struct WarpPlan {
    /// Nil if pixels stay in place after the mosaic is interpolated.
    let field: WarpField?
    /// For a Bayer mosaic whose red and blue are displaced from green; nil otherwise, or if the field includes it.
    let alignment: ColourAlignment?
    /// The part of the plane to interpolate.
    let area: PixelRect

    private typealias Vector = LensWarp.Vector
    /// Pixels around a position that the interpolation reads.
    private static let reach = 4.0

    /// Nil if warps fold the picture or move pixels too far.
    init?(_ facts: SensorFacts, _ corrections: SensorCorrections) {
        let crop = facts.crop
        let isColoured = corrections.warps.contains { $0.planes.count == 3 } && facts.layout != .monochrome
        if isColoured, corrections.keepGreen,
            let alignment = Self.alignment(facts.layout, corrections, crop, area: crop)
        {
            (field, area, self.alignment) = (nil, crop, alignment)
            return
        }
        guard let area = Self.area(crop, corrections) else { return nil }
        self.area = area
        alignment = isColoured ? Self.alignment(facts.layout, corrections, crop, area: area) : nil
        let planes = isColoured && alignment == nil ? 3 : 1
        var (across, down) = ([Int32](), [Int32]())
        for channel in 0..<planes {
            let grid = WarpGrid(corrections, crop, area, channel: planes == 3 ? channel : 1)
            down += grid.down()
            guard let found = grid.across() else { return nil }
            across += found
        }
        guard let field = WarpField(size: crop.size, source: area.size, planes: planes, across: across, down: down)
        else { return nil }
        self.field = field
    }

    /// Nil if there is no Bayer mosaic or colours are too far apart.
    private static func alignment(
        _ layout: SensorLayout, _ corrections: SensorCorrections, _ crop: PixelRect, area: PixelRect
    ) -> ColourAlignment? {
        guard case .bayer(let pattern) = layout, let phase = BayerPhase(pattern) else { return nil }
        func field(_ channel: Int) -> WarpField? {
            AlignmentGrid(corrections, crop, channel: channel).field(ColourLattice(area, phase, channel: channel))
        }
        return field(0).flatMap { red in field(2).flatMap { ColourAlignment(red: red, blue: $0) } }
    }

    /// The picture and the sources of its warped edges, limited to the exposed part. Nil if a position is NaN.
    private static func area(_ crop: PixelRect, _ corrections: SensorCorrections) -> PixelRect? {
        guard let lit = corrections.area else { return crop }
        let (right, bottom) = (crop.x + crop.size.width, crop.y + crop.size.height)
        var (low, high) = (SIMD2(Double(crop.x), Double(crop.y)), SIMD2(Double(right - 1), Double(bottom - 1)))
        for step in 0...64 {
            let share = Double(step) / 64
            let (x, y) = (
                Double(crop.x) + share * Double(crop.size.width - 1),
                Double(crop.y) + share * Double(crop.size.height - 1)
            )
            let places = (
                Vector(x, x, Double(crop.x), Double(right - 1), x, x, Double(crop.x), Double(right - 1)),
                Vector(Double(crop.y), Double(bottom - 1), y, y, Double(crop.y), Double(bottom - 1), y, y)
            )
            for channel in 0..<3 {
                let found = corrections.source(places.0, places.1, channel: channel)
                for lane in 0..<4 {
                    let place = SIMD2(found.x[lane], found.y[lane])
                    guard place.x.magnitude < 1e6, place.y.magnitude < 1e6 else { return nil }
                    low = pointwiseMin(low, place - reach)
                    high = pointwiseMax(high, place + reach)
                }
            }
        }
        func part(_ low: Double, _ high: Double, _ crop: Range<Int>, _ lit: Range<Int>) -> Range<Int> {
            let least = max(Int(low.rounded(.down)), min(lit.lowerBound, crop.lowerBound))
            let most = min(Int(high.rounded(.up)) + 1, max(lit.upperBound, crop.upperBound))
            return min(least, crop.lowerBound)..<max(most, crop.upperBound)
        }
        let columns = part(low.x, high.x, crop.x..<right, lit.x..<lit.x + lit.size.width)
        let rows = part(low.y, high.y, crop.y..<bottom, lit.y..<lit.y + lit.size.height)
        return PixelRect(
            x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(width: columns.count, height: rows.count))
    }
}

extension SensorCorrections {
    fileprivate var keepGreen: Bool {
        warps.allSatisfy { warp in
            let green = warp.planes[warp.planes.count == 1 ? 0 : 1]
            return warp.formula != .fisheye && green == LensWarp.Plane(radial: SIMD4(1, 0, 0, 0))
        }
    }
}
