/// Adaptation of colours from one white to another.
public enum ChromaticAdaptation {
    /// The Bradford transform, XYZ to XYZ (K. M. Lam, 1985, "Metamerism and colour constancy"; ICC.1:2022, Annex E).
    ///
    /// - Returns: the identity if the source white has a cone response of 0 or less.
    public static func bradford(from source: Chromaticity, to target: Chromaticity) -> Matrix3x3 {
        let cone = Matrix3x3([0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])
        guard let back = cone.inverse else { return .identity }
        let from = cone * source.xyz
        let to = cone * target.xyz
        guard from.allSatisfy({ $0 > 0 }) else { return .identity }
        return back * .diagonal([to[0] / from[0], to[1] / from[1], to[2] / from[2]]) * cone
    }
}
