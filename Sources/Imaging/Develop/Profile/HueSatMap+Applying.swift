import ColourScience
import PictureFormat
import Pixels

extension HueSatMap {
    /// Moves a colour in linear ProPhoto RGB without negative channels. Interpolates linearly between points of hue,
    /// saturation and, if the table has divisions of it, value (Adobe, 2023, "Digital Negative Specification" 1.7,
    /// ProfileHueSatMapData). Looks up value above 1 as 1 and keeps the excess.
    func moved(_ colour: SIMD3<Double>) -> SIMD3<Double> {
        var hsv = HSV(colour)
        guard hsv.value > 0 else { return .zero }
        let value = encodesValue ? TransferFunction.encode(hsv.value, .sRGB) : hsv.value
        let change = point(hue: hsv.hue / 6, saturation: hsv.saturation, value: value)
        hsv.hue += change.x / 60
        hsv.saturation = min(hsv.saturation * change.y, 1)
        hsv.value = encodesValue ? TransferFunction.decode(value * change.z, .sRGB) : value * change.z
        return hsv.rgb
    }

    /// The change of a colour. Hue is 0 to below 1, around the circle.
    private func point(hue: Double, saturation: Double, value: Double) -> SIMD3<Double> {
        let h = hues > 1 ? hue * Double(hues) : 0
        let left = min(Int(h), hues - 1)
        let right = left + 1 < hues ? left + 1 : 0
        let along = h - Double(left)
        let s = min(saturation, 1) * Double(saturations - 1)
        let low = min(Int(s), saturations - 2)
        let up = s - Double(low)
        func plane(_ number: Int) -> SIMD3<Double> {
            func row(_ hue: Int) -> SIMD3<Double> {
                let index = (number * hues + hue) * saturations + low
                return SIMD3<Double>(points[index]) * (1 - up) + SIMD3<Double>(points[index + 1]) * up
            }
            return row(left) * (1 - along) + row(right) * along
        }
        guard values > 1 else { return plane(0) }
        let v = min(value, 1) * Double(values - 1)
        let below = min(Int(v), values - 2)
        let part = v - Double(below)
        return plane(below) * (1 - part) + plane(below + 1) * part
    }
}

/// A colour by hue (0 to below 6; red is 0, green 2, blue 4), saturation (0…1) and value (the largest channel).
private struct HSV {
    var hue: Double
    var saturation: Double
    var value: Double

    init(_ rgb: SIMD3<Double>) {
        value = rgb.max()
        let gap = value - rgb.min()
        guard gap > 0 else {
            (hue, saturation) = (0, 0)
            return
        }
        saturation = gap / value
        if rgb.x == value {
            hue = (rgb.y - rgb.z) / gap
            if hue < 0 { hue += 6 }
            // Less than the smallest step below red.
            if hue >= 6 { hue = 0 }
        } else if rgb.y == value {
            hue = 2 + (rgb.z - rgb.x) / gap
        } else {
            hue = 4 + (rgb.x - rgb.y) / gap
        }
    }

    /// The hue may exceed its range.
    var rgb: SIMD3<Double> {
        func channel(_ offset: Double) -> Double {
            var place = (offset + hue).truncatingRemainder(dividingBy: 6)
            if place < 0 { place += 6 }
            return value * (1 - saturation * min(max(min(place, 4 - place), 0), 1))
        }
        return SIMD3(channel(5), channel(3), channel(1))
    }
}
