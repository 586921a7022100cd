/// All that is needed to render light with a three-dimensional LUT in one pass.
package struct LUTRendering: Sendable {
    /// From light to coordinates in the LUT, by channel: the tone curve, and the curves that the LUT has before it.
    let red: CoordinateCurve
    let green: CoordinateCurve
    let blue: CoordinateCurve
    let lut: TetrahedralLUT

    /// Proves that all coordinates lie inside the LUT: nil otherwise.
    package init?(red: CoordinateCurve, green: CoordinateCurve, blue: CoordinateCurve, lut: TetrahedralLUT) {
        guard max(red.end, green.end, blue.end) <= lut.coordinateEnd else { return nil }
        self.red = red
        self.green = green
        self.blue = blue
        self.lut = lut
    }
}
