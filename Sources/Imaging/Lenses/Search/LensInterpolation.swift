/// Interpolation between measured settings by the rules of Lensfun 0.3 (A. Zabolotny and others), with the same bits on
/// every processor.
enum LensInterpolation {
    /// Interpolates distortion terms multiplied by the focal length, by a cubic spline through four neighbours.
    static func distortion(_ points: [DistortionPoint], _ focalLength: Float) -> DistortionPoint? {
        guard let model = points.first?.model else { return nil }
        let same = points.filter { $0.model == model }
        let terms = interpolate(same.map(\.focalLength), at: focalLength) { same[$0].terms * same[$0].focalLength }
        return terms.map { DistortionPoint(model: model, focalLength: focalLength, terms: $0 / $1) }
    }

    /// Interpolates the terms v directly, and the others multiplied by the focal length, by the same spline.
    static func lateralColour(_ points: [LateralColourPoint], _ focalLength: Float) -> LateralColourPoint? {
        func colour(_ terms: (LateralColourPoint) -> SIMD3<Float>) -> SIMD3<Float>? {
            func scale(_ focalLength: Float) -> SIMD3<Float> { SIMD3(1, focalLength, focalLength) }
            let found = interpolate(points.map(\.focalLength), at: focalLength) {
                terms(points[$0]) * scale(points[$0].focalLength)
            }
            return found.map { $0 / scale($1) }
        }
        guard let red = colour({ $0.red }), let blue = colour({ $0.blue }) else { return nil }
        return LateralColourPoint(focalLength: focalLength, red: red, blue: blue)
    }

    /// - Parameters:
    ///   - places: focal lengths, ascending.
    ///   - terms: terms of the point with an index.
    /// - Returns: the terms and their focal length: the nearest one if there are points on one side only.
    private static func interpolate(
        _ places: [Float], at place: Float, _ terms: (Int) -> SIMD3<Float>
    ) -> (SIMD3<Float>, Float)? {
        if let exact = places.firstIndex(of: place) { return (terms(exact), place) }
        let next = places.firstIndex { $0 > place } ?? places.count
        if places.isEmpty { return nil }
        if next == 0 || next == places.count {
            let end = min(next, places.count - 1)
            return (terms(end), places[end])
        }
        let (p1, p2) = (terms(next - 1), terms(next))
        let t = (place - places[next - 1]) / (places[next] - places[next - 1])
        // Hermite's spline; a slope is half the difference of a point's neighbours.
        let slope1 = next > 1 ? (p2 - terms(next - 2)) * 0.5 : p2 - p1
        let slope2 = next + 1 < places.count ? (terms(next + 1) - p1) * 0.5 : p2 - p1
        let (t2, t3) = (t * t, t * t * t)
        let (w1, w2): (Float, Float) = (2 * t3 - 3 * t2 + 1, -2 * t3 + 3 * t2)
        let (s1, s2): (Float, Float) = (t3 - 2 * t2 + t, t3 - t2)
        let ends: SIMD3<Float> = w1 * p1 + w2 * p2
        return (ends + s1 * slope1 + s2 * slope2, place)
    }

    /// Default distance if the photo does not record one: far away.
    static let farAway: Float = 1000

    /// Weighted mean of all points, with the weight 1 over the power 3.5 of their distance in focal length, aperture
    /// and distance (D. Shepard, 1968, "A two-dimensional interpolation function for irregularly-spaced data").
    static func vignetting(_ lens: LensRecord, _ shot: LensShot) -> VignettingPoint? {
        guard shot.aperture > 0 else { return nil }
        let distance = shot.distance > 0 ? shot.distance : farAway
        let range = lens.focalLengths[1] - lens.focalLengths[0]
        var (sum, weights, nearest) = (SIMD3<Float>.zero, Float(0), Float.infinity)
        for point in lens.vignetting {
            let across = (point.focalLength - shot.focalLength) / (range > 0 ? range : 1)
            let place = SIMD3(
                across, 4 / point.aperture - 4 / shot.aperture, 0.1 / point.distance - 0.1 / distance)
            let way = (place * place).sum().squareRoot()
            let found = VignettingPoint(
                focalLength: shot.focalLength, aperture: shot.aperture, distance: distance, terms: point.terms)
            if way < 0.0001 { return found }
            nearest = min(nearest, way)
            let weight = 1 / (way * way * way * way.squareRoot())
            sum += weight * point.terms
            weights += weight
        }
        guard nearest <= 1, weights > 0 else { return nil }
        return VignettingPoint(
            focalLength: shot.focalLength, aperture: shot.aperture, distance: distance, terms: sum / weights)
    }
}
