import ColourScience
import Pixels

/// What a camera's profile does to the scene's light between the matrix and the tone curve.
///
/// It depends on the colour alone, so it becomes part of the tables of ``RenderingTable``, and costs nothing for each
/// pixel.
struct ProfileMapping: Hashable {
    private let hueSatMap: HueSatMap?
    private let lookTable: HueSatMap?
    /// Scene light for each unit of balanced light, which the first table looks at.
    private let gain: Double
    /// From light in Rec. 2020 to ProPhoto RGB as it was before it got its colourfulness, which comes after the tables.
    private let entry: LightMatrix
    private let exit: LightMatrix

    /// - Parameters:
    ///   - gain: from balanced light to the scene's.
    ///   - colourfulness: that the light has already; nil for the camera's own.
    /// - Returns: nil if there are no tables.
    init?(hueSatMap: HueSatMap?, lookTable: HueSatMap?, gain: Double, colourfulness: Colourfulness?) {
        guard hueSatMap != nil || lookTable != nil else { return nil }
        self.hueSatMap = hueSatMap
        self.lookTable = lookTable
        // A table without divisions of value does the same in every light.
        self.gain = hueSatMap.map { $0.values > 1 } == true ? gain : 1
        let matrix = colourfulness?.matrix ?? .identity
        entry = LightMatrix(ProPhotoRGB.fromRec2020 * (matrix.inverse ?? .identity))
        exit = LightMatrix(matrix * ProPhotoRGB.toRec2020)
    }

    /// From light to light, in linear Rec. 2020 without negative channels.
    func callAsFunction(_ light: SIMD3<Double>) -> SIMD3<Double> {
        var colour = entry(light)
        if let hueSatMap { colour = hueSatMap.moved(colour / gain) * gain }
        if let lookTable { colour = lookTable.moved(colour) }
        return exit(colour)
    }
}

/// A matrix by its columns. A channel of the result that is below zero becomes zero: the space does not hold the
/// colour.
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

/// A profile's mapping of a photo, and the tone curve behind it.
struct ProfiledTone: Hashable {
    let mapping: ProfileMapping
    /// That of the photo.
    let tone: ToneTableKey
}
