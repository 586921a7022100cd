import ColourScience
import PictureFormat
public import Pixels

/// A look as a table for other programs, applied to the colours of a finished picture.
///
/// A film takes scene light, which a finished picture no longer has. It is estimated by inverting the usual tone curve,
/// so that a neutral photo comes close to the photo with that film. Effects that use more than a pixel's colour, such
/// as grain and halation, are not included.
public enum LookSampling {
    /// Samples a look.
    ///
    /// - Parameters:
    ///   - look: at the desired strength.
    ///   - size: points along an edge, 2…256.
    /// - Returns: red, green and blue of `size³` points, 0…1. Input and result are display-encoded sRGB; the input's
    ///   red runs fastest.
    public static func points(_ look: any RowStage, size: Int) -> [Float] {
        var points: [Float] = []
        points.reserveCapacity(3 * size * size * size)
        let edge = (0..<size).map { Float($0) / Float(max(size - 1, 1)) }
        for blue in edge {
            for green in edge {
                var row = edge + Array(repeating: green, count: size) + Array(repeating: blue, count: size)
                if let film = look.film { render(&row, film) }
                process(&row) { look.process($0) }
                for x in 0..<size { points += [row[x], row[size + x], row[2 * size + x]] }
            }
        }
        return points
    }

    private static let mapping = DisplayMapping(.sRGB)
    private static let toRec2020 = (RGBPrimaries.rec2020.fromXYZ * RGBPrimaries.rec709.toXYZ).elements

    /// - Parameter row: display-encoded; all of red, then green, then blue.
    private static func render(_ row: inout [Float], _ film: any FilmStage) {
        let count = row.count / 3
        var light = row
        for x in 0..<count {
            let colour = scene(SIMD3(Double(row[x]), Double(row[count + x]), Double(row[2 * count + x])))
            for channel in 0..<3 { light[channel * count + x] = Float(colour[channel]) }
        }
        process(&light) { film.render($0) }
        for x in 0..<count {
            let shown = mapping.fitted(
                SIMD3(Double(light[x]), Double(light[count + x]), Double(light[2 * count + x])))
            for channel in 0..<3 {
                let code = Float(TransferFunction.encode(shown[channel], .sRGB))
                // Half a film is half-way in display-encoded steps.
                row[channel * count + x] += (code - row[channel * count + x]) * film.share
            }
        }
    }

    /// Scene light in Rec. 2020 that becomes a display colour: the inverse of ``DisplayMapping``.
    private static func scene(_ code: SIMD3<Double>) -> SIMD3<Double> {
        let display = SIMD3(
            TransferFunction.decode(code.x, .sRGB), TransferFunction.decode(code.y, .sRGB),
            TransferFunction.decode(code.z, .sRGB))
        let m = toRec2020
        let light = SIMD3(
            m[0] * display.x + m[1] * display.y + m[2] * display.z,
            m[3] * display.x + m[4] * display.y + m[5] * display.z,
            m[6] * display.x + m[7] * display.y + m[8] * display.z
        ).clamped(lowerBound: .zero, upperBound: .one)
        let order = [0, 1, 2].sorted { light[$0] < light[$1] }
        let (low, middle, high) = (order[0], order[1], order[2])
        var scene = SIMD3<Double>.zero
        scene[low] = DisplayMapping.scene(light[low])
        scene[high] = DisplayMapping.scene(light[high])
        let span = light[high] - light[low]
        let share = span > 0 ? (light[middle] - light[low]) / span : 0
        scene[middle] = scene[low] + (scene[high] - scene[low]) * share
        return scene
    }

    /// Results are clipped to 0…1; NaN becomes 0.
    private static func process(_ row: inout [Float], _ stage: (PixelRow) -> Void) {
        let count = row.count / 3
        unsafe row.withUnsafeMutableBufferPointer { row in
            guard let red = row.baseAddress else { return }
            unsafe stage(PixelRow(red: red, green: red + count, blue: red + 2 * count, count: count))
        }
        for i in row.indices { row[i] = row[i] > 0 ? min(row[i], 1) : 0 }
    }
}
