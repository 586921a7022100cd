/// Renders light with a three-dimensional LUT in one pass.
package struct LUTRendering: Sendable {
    /// From a channel's light to its coordinate in the LUT: the tone curve.
    let coordinates: CoordinateCurve
    let lut: TetrahedralLUT

    /// Proves that all coordinates lie inside the LUT: nil otherwise.
    package init?(coordinates: CoordinateCurve, lut: TetrahedralLUT) {
        guard coordinates.end <= lut.coordinateEnd else { return nil }
        self.coordinates = coordinates
        self.lut = lut
    }
}
