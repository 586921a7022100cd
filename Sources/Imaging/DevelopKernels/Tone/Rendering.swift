package import Pixels

/// The way from the scene's light to display-encoded values of the output space: tone curve, look, encoding.
///
/// The order of the steps depends on where the look works.
package struct Rendering: Sendable {
    private let look: any RowStage
    private let hasLook: Bool
    private let toTonePrimaries: ColourMatrix?
    private let tone: LightLUT
    private let conversion: ColourSpaceConversion?
    /// The whole way from light to 8 bits, if the look is a LUT that allows it.
    let lut: LUTRendering?

    /// - Parameters:
    ///   - toTonePrimaries: from the primaries that a `.sceneLinear` look works in to those of the tone curve; nil for
    ///     other looks.
    ///   - tone: from light to display-encoded values.
    ///   - conversion: nil if the tone curve's space is the output space.
    package init(
        look: any RowStage, toTonePrimaries: ColourMatrix?, tone: LightLUT, conversion: ColourSpaceConversion?,
        lut: LUTRendering?
    ) {
        self.look = look
        hasLook = !(look is IdentityStage)
        self.toTonePrimaries = toTonePrimaries
        self.tone = tone
        self.conversion = conversion
        self.lut = lut
    }

    /// Renders a piece of a row of light into `result`, which has as many pixels.
    func render(_ light: PixelRow, into result: PixelRow) {
        switch look.position {
        case .display:
            map(light, into: result)
            if hasLook { look.process(result) }
        case .sceneLinear:
            result.copyValues(of: light)
            look.process(result)
            toTonePrimaries?.apply(result)
            map(result, into: result)
        case .rendering:
            result.copyValues(of: light)
            look.process(result)
        }
        conversion?.apply(result)
    }

    private func map(_ light: PixelRow, into result: PixelRow) {
        tone.map(light.red, into: result.red, count: light.count)
        tone.map(light.green, into: result.green, count: light.count)
        tone.map(light.blue, into: result.blue, count: light.count)
    }
}

/// From one output space's encoding to another's, for looks that are made for one space.
package struct ColourSpaceConversion: Sendable {
    private let decode: LightLUT
    private let matrix: ColourMatrix
    private let encode: LightLUT

    /// - Parameters:
    ///   - decode: from the first space's encoding to linear light.
    ///   - matrix: from the first space's primaries to the second's.
    ///   - encode: from linear light to the second space's encoding.
    package init(decode: LightLUT, matrix: ColourMatrix, encode: LightLUT) {
        self.decode = decode
        self.matrix = matrix
        self.encode = encode
    }

    func apply(_ row: PixelRow) {
        map(row, decode)
        matrix.apply(row)
        map(row, encode)
    }

    private func map(_ row: PixelRow, _ lut: LightLUT) {
        for plane in [row.red, row.green, row.blue] {
            // A look may leave 0…1, and the LUT has no negative light.
            for x in 0..<row.count { plane[x] = plane[x] > 0 ? plane[x] : 0 }
            lut.map(plane, into: plane, count: row.count)
        }
    }
}
