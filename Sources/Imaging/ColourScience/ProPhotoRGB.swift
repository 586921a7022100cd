/// The RGB space of camera profiles' tables: linear ROMM RGB with D50 as its white (ISO 22028-2:2013).
public enum ProPhotoRGB {
    /// The white, D50.
    public static let white = Chromaticity(x: 0.3457, y: 0.3585)

    /// Linear RGB to XYZ under D50. RGB (1, 1, 1) becomes ``white`` with Y = 1.
    public static let toXYZ: Matrix3x3 = {
        let primaries = [
            Chromaticity(x: 0.7347, y: 0.2653), Chromaticity(x: 0.1596, y: 0.8404), Chromaticity(x: 0.0366, y: 0.0001),
        ]
        let columns = primaries.map(\.xyz)
        let raw = Matrix3x3((0..<9).map { columns[$0 % 3][$0 / 3] })
        return raw * .diagonal((raw.inverse ?? .identity) * white.xyz)
    }()

    /// From linear Rec. 2020, with chromatic adaptation.
    public static let fromRec2020 =
        (toXYZ.inverse ?? .identity) * ChromaticAdaptation.bradford(from: .d65, to: white)
        * RGBPrimaries.rec2020.toXYZ

    /// To linear Rec. 2020: the inverse of ``fromRec2020``.
    public static let toRec2020 = fromRec2020.inverse ?? .identity
}
