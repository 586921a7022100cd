import PNG
import PictureFormat

/// Hald pictures: tables as PNG files, whose pixels are the table's colours (after E. Martin's "Hald CLUT", 2004).
///
/// A picture of level L has L³ × L³ pixels and is a table with L² points along each edge. Pixel i, counted row by row,
/// is the point with red i mod L², green i / L² mod L² and blue i / L⁴, which is the order of a table's points.
enum HaldPicture {
    static let levels = 2...16

    /// Whether bytes are a picture, not text: a PNG, or a JPEG given by mistake.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x89, 0x50]) || bytes.starts(with: [0xFF, 0xD8]) || bytes.starts(with: Array("II*\0".utf8))
            || bytes.starts(with: Array("MM\0*".utf8))
    }

    /// - Throws: `LookError` with problem and remedy.
    static func table(_ bytes: [UInt8]) throws(LookError) -> LookupTable {
        do throws(PNGError) {
            let picture = try PNGPicture(bytes) { size throws(PNGError) in
                guard level(of: size) != nil else {
                    throw PNGError(
                        "it is not a Hald picture: it has \(size.width) × \(size.height) pixels",
                        "a Hald picture is a square of 8, 27, 64, 125, 216, 343 or 512 pixels, or another third power "
                            + "up to 4096; export it again without resizing")
                }
            }
            let edge = (level(of: picture.size) ?? 0) * (level(of: picture.size) ?? 0)
            let white = Float(picture.bits == 8 ? 255 : 65_535)
            return LookupTable(
                curves: nil, cube: .init(size: edge, domain: .init(), values: picture.samples.map { Float($0) / white })
            )
        } catch { throw LookError(error.description) }
    }

    /// The level of a picture; nil for other sizes.
    static func level(of size: PixelSize) -> Int? {
        guard size.width == size.height else { return nil }
        return levels.first { $0 * $0 * $0 == size.width }
    }

    /// A table as a Hald picture.
    ///
    /// - Parameters:
    ///   - level: 2…16.
    ///   - values: red, green and blue, 0…1, of level⁶ points; the input's red runs fastest.
    ///   - bits: 8 or 16.
    static func picture(level: Int, values: [Float], bits: Int) -> PNGPicture {
        let (edge, white) = (level * level * level, Float(bits == 8 ? 255 : 65_535))
        return PNGPicture(
            size: PixelSize(width: edge, height: edge), bits: bits,
            samples: values.map { UInt16(min(max($0, 0), 1) * white + 0.5) })
    }
}
