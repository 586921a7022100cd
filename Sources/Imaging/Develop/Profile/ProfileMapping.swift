import ColourScience
import Pixels

/// A camera profile's change of scene light between the matrix and the tone curve.
///
/// It depends only on the colour, so it becomes part of ``RenderingTable``'s tables at no cost per pixel.
struct ProfileMapping: Hashable {
    private let hueSatMap: HueSatMap?
    private let lookTable: HueSatMap?
    /// Scene light per unit of balanced light, which the first table takes.
    private let gain: Double
    /// From light in Rec. 2020 to ProPhoto RGB without the colourfulness, which belongs after the tables.
    private let entry: LightMatrix
    private let exit: LightMatrix

    /// Nil if there are no tables. `gain` is from balanced light to scene light; the light already has the
    /// colourfulness, nil for the camera's own.
    init?(hueSatMap: HueSatMap?, lookTable: HueSatMap?, gain: Double, colourfulness: Colourfulness?) {
        guard hueSatMap != nil || lookTable != nil else { return nil }
        self.hueSatMap = hueSatMap
        self.lookTable = lookTable
        // A table without divisions of value does not depend on the gain.
        self.gain = hueSatMap.map { $0.values > 1 } == true ? gain : 1
        let matrix = colourfulness?.matrix ?? .identity
        entry = LightMatrix(ProPhotoRGB.fromRec2020 * (matrix.inverse ?? .identity))
        exit = LightMatrix(matrix * ProPhotoRGB.toRec2020)
    }

    /// In linear Rec. 2020 without negative channels.
    func callAsFunction(_ light: SIMD3<Double>) -> SIMD3<Double> {
        var colour = entry(light)
        if let hueSatMap { colour = hueSatMap.moved(colour / gain) * gain }
        if let lookTable { colour = lookTable.moved(colour) }
        return exit(colour)
    }
}

/// A matrix by columns. Negative channels of the result become zero, because the space does not contain the colour.
private struct LightMatrix: Hashable {
    private let red: SIMD3<Double>
    private let green: SIMD3<Double>
    private let blue: SIMD3<Double>

    init(_ matrix: Matrix3x3) {
        let m = matrix.elements
        red = SIMD3(m[0], m[3], m[6])
        green = SIMD3(m[1], m[4], m[7])
        blue = SIMD3(m[2], m[5], m[8])
    }

    func callAsFunction(_ light: SIMD3<Double>) -> SIMD3<Double> {
        pointwiseMax(red * light.x + green * light.y + blue * light.z, .zero)
    }
}

struct ProfiledTone: Hashable {
    let mapping: ProfileMapping
    let tone: ToneTableKey
}
