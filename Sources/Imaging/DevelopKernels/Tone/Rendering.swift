package import PixelKernels
package import Pixels

/// Renders scene light in Rec. 2020 to display-encoded values of the output space: tone curve, display mapping, look,
/// encoding. The order of the steps depends on the look's position.
package struct Rendering: Sendable {
    private let look: any RowStage
    private let hasLook: Bool
    private let tone: any LightMapping
    private let display: TetrahedralInterpolator?
    private let conversion: ColourSpaceConversion?
    /// From light to 8 bits, if the look depends only on the colour, and 8 bits are wanted.
    let lut: LUTRendering?
    /// Applied after `lut`; nil for none.
    let shade: Shade?

    /// - Parameters:
    ///   - tone: from light to values in the encoding of the look's space.
    ///   - display: from such values in Rec. 2020 to values of the look's space; nil if they are the same.
    ///   - conversion: nil if the look's space is the output space.
    ///   - lut: replaces all of them for 8 bits; nil if they are not one table.
    ///   - shade: a darkening shade after `lut`; nil for none.
    package init(
        look: any RowStage, tone: any LightMapping, display: TetrahedralInterpolator?,
        conversion: ColourSpaceConversion?, lut: LUTRendering?, shade: Shade? = nil
    ) {
        self.look = look
        hasLook = !(look is IdentityStage)
        self.tone = tone
        self.display = display
        self.conversion = conversion
        self.lut = lut
        self.shade = shade
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
            map(result, into: result)
        }
        if let conversion {
            conversion.apply(result)
        } else if hasLook {
            // A look may leave 0…1, where chroma would have another hue.
            result.clip()
        }
    }

    private func map(_ light: PixelRow, into result: PixelRow) {
        tone.map(light.red, into: result.red, count: light.count)
        tone.map(light.green, into: result.green, count: light.count)
        tone.map(light.blue, into: result.blue, count: light.count)
        display?.apply(result.red, result.green, result.blue, count: light.count)
    }
}

/// From one output space's encoding to another's, for looks that are made for one space.
package struct ColourSpaceConversion: Sendable {
    private let decode: any LightMapping
    private let matrix: ColourMatrix
    private let encode: any LightMapping

    /// Decodes the first space's encoding to linear light, converts the first space's primaries to the second's, and
    /// encodes for the second.
    package init(decode: any LightMapping, matrix: ColourMatrix, encode: any LightMapping) {
        self.decode = decode
        self.matrix = matrix
        self.encode = encode
    }

    func apply(_ row: PixelRow) {
        map(row, decode)
        matrix.apply(row)
        map(row, encode)
    }

    private func map(_ row: PixelRow, _ lut: any LightMapping) {
        for plane in [row.red, row.green, row.blue] {
            // A look may leave 0…1, and the LUT has no negative light.
            for x in 0..<row.count { plane[x] = plane[x] > 0 ? plane[x] : 0 }
            lut.map(plane, into: plane, count: row.count)
        }
    }
}
