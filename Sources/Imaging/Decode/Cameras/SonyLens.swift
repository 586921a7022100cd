import TIFF
import PictureFormat
import Pixels

/// Lens corrections in Sony's files (ARW 2.3 and later): factors of the distance from the centre at up to 16 distances,
/// for all colours and additionally for red and blue.
///
/// Of n knots, knot i (from 0) is at distance (i + ½) / (n - 1), where 1 is the corner. The source of a pixel is at 1 +
/// knot / 2¹⁴ times its distance; for red and blue, at 1 + knot / 2²¹ times green's. A field starts with its number of
/// knots (Stannum, 2018, "Sony ARW distortion correction"; names from ExifTool).
struct SonyLens {
    private let distortion: [Double]
    private let colour: (red: [Double], blue: [Double])

    private static let make = Array("SONY".utf8)
    private static let maxKnots = 16
    /// Value of the setting fields if the camera does not know its lens.
    private static let noParameters = 255

    /// Reads the fields; nil if they are absent or invalid, or move nothing.
    init?(_ tiff: TIFFFile?) {
        guard let tiff, let make = tiff.directories.first?.text(.make), make.starts(with: Self.make),
            let directory = tiff.directories.first(where: { $0.has(.sonyDistortion) || $0.has(.sonyLateralColour) })
        else { return nil }
        func knots(_ tag: TIFFTag, setting: TIFFTag) -> [Double] {
            guard directory.reals(setting)?.first != Double(Self.noParameters), let numbers = directory.reals(tag),
                let count = numbers.first, numbers.count <= 1 + 2 * Self.maxKnots,
                let whole = Int(exactly: count), whole >= 2, whole < numbers.count
            else { return [] }
            return Array(numbers[1...whole])
        }
        distortion = knots(.sonyDistortion, setting: .sonyDistortionSetting)
        let both = knots(.sonyLateralColour, setting: .sonyLateralColourSetting)
        colour =
            both.count.isMultiple(of: 2)
            ? (Array(both.prefix(both.count / 2)), Array(both.suffix(both.count / 2))) : ([], [])
        guard distortion.count <= Self.maxKnots, (distortion + colour.red + colour.blue).contains(where: { $0 != 0 })
        else { return nil }
    }

    /// The displacement of pixels, after an enlargement that keeps every source inside `lit`, the exposed part of the
    /// plane. Empty if the knots are unusable. `crop` is the picture inside the plane.
    func warps(_ crop: PixelRect, lit: PixelRect) -> [LensWarp] {
        guard let warp = warp(crop) else { return [] }
        for step in 0..<Self.maxSteps {
            let scale = SIMD4(1 - Double(step) * Self.step, 0, 0, 0)
            guard
                let zoom = LensWarp(
                    centre: warp.centre, distance: warp.distance, planes: [LensWarp.Plane(radial: scale)],
                    formula: .rectilinear)
            else { return [] }
            let warps = step == 0 ? [warp] : [warp, zoom]
            if Self.stays(crop, in: lit, SensorCorrections(warps: warps)) { return warps }
        }
        return []
    }

    /// Step of the enlargement; the smallest scale is 0.8.
    private static let step = 0.001
    private static let maxSteps = 200

    /// Whether the sources of all pixels on the picture's border are lit. Half a pixel outside is still the same pixel.
    private static func stays(_ crop: PixelRect, in lit: PixelRect, _ corrections: SensorCorrections) -> Bool {
        let low = SIMD2(Double(min(lit.x, crop.x)), Double(min(lit.y, crop.y))) - 0.5
        let high =
            SIMD2(
                Double(max(lit.x + lit.size.width, crop.x + crop.size.width)),
                Double(max(lit.y + lit.size.height, crop.y + crop.size.height))) - 0.5
        let (left, top) = (Double(crop.x), Double(crop.y))
        let (right, bottom) = (left + Double(crop.size.width - 1), top + Double(crop.size.height - 1))
        return (0...32).allSatisfy { step in
            let (x, y) = (left + Double(step) / 32 * (right - left), top + Double(step) / 32 * (bottom - top))
            return (0..<3).allSatisfy { channel in
                let found = corrections.source(
                    LensWarp.Vector(x, x, left, right, x, x, left, right),
                    LensWarp.Vector(top, bottom, y, y, top, bottom, y, y), channel: channel)
                return (0..<4).allSatisfy { lane in
                    let place = SIMD2(found.x[lane], found.y[lane])
                    return all(place .>= low) && all(place .<= high)
                }
            }
        }
    }

    func warp(_ crop: PixelRect) -> LensWarp? {
        let half = SIMD2(Double(crop.size.width - 1), Double(crop.size.height - 1)) / 2
        var tables: [RadialTable] = []
        for channel in [colour.red, [], colour.blue] {
            // If one table is missing or has other distances, only the other applies.
            let knots = max(distortion.count, colour.red.count)
            func factors(_ numbers: [Double], _ unit: Double) -> [Double] {
                numbers.count == knots ? numbers.map { 1 + $0 / unit } : [Double](repeating: 1, count: knots)
            }
            let factors = zip(factors(distortion, 16_384), factors(channel, 2_097_152)).map { $0 * $1 }
            guard let table = RadialTable(factors, first: 0.5 / Double(knots - 1), step: 1 / Double(knots - 1)) else {
                return nil
            }
            tables.append(table)
        }
        if Set(tables).count == 1 { tables = [tables[1]] }
        return LensWarp(
            centre: SIMD2(Double(crop.x), Double(crop.y)) + half, distance: (half * half).sum().squareRoot(),
            planes: tables.map { LensWarp.Plane(table: $0) }, formula: .table)
    }
}
