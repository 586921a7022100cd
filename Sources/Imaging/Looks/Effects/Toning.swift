import Pixels

/// A toned black-and-white print, whose silver becomes a coloured compound: luma with a tint in the middle tones. Black
/// and white are preserved.
struct Toning: LookEffect {
    /// Added to display-encoded red, green and blue half-way between black and white.
    let tint: SIMD3<Float>

    let position = StagePosition.display

    /// The red-brown of silver sulphide: C* 16 at a hue of 66° at L* 50, lightness kept (CIELAB, D65).
    static let sepia = Toning(tint: SIMD3(0.079, -0.018, -0.096))
    /// The cool purple-brown of silver selenide: C* 6 at 330°.
    static let selenium = Toning(tint: SIMD3(0.027, -0.011, 0.021))
    /// The Prussian blue of iron prints: C* 26 at 262°.
    static let cyanotype = Toning(tint: SIMD3(-0.157, 0.016, 0.171))
    /// The first version of sepia, a mustard yellow: C* 39 at 80°.
    static let yellowSepia = Toning(tint: SIMD3(0.16, 0.02, -0.22))

    func process(_ row: PixelRow) {
        for x in 0..<row.count {
            let luma = unsafe 0.299 * row.red[x] + 0.587 * row.green[x] + 0.114 * row.blue[x]
            // The tint follows a parabola: 0 at black and white, 1 half-way.
            let colour = SIMD3(repeating: luma) + tint * (4 * luma * (1 - luma))
            unsafe row.red[x] = colour.x
            unsafe row.green[x] = colour.y
            unsafe row.blue[x] = colour.z
        }
    }

    func definition(of name: String) -> String { "\(name) luma 0.299 0.587 0.114 tint \(tint.x) \(tint.y) \(tint.z)" }
}
