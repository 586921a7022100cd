/// Chromaticities of black bodies by temperature.
public enum PlanckianLocus {
    /// Temperature range of the fits, in kelvin.
    public static let kelvins = 1667.0...25_000

    /// The chromaticity of a black body: cubic fits of the Planckian locus, 1,667 K to 25,000 K (B. Kang, O. Moon, C.
    /// Hong, H. Lee, B. Cho, Y. Kim, 2002, "Design of advanced color temperature control system for HDTV applications",
    /// Journal of the Korean Physical Society 41).
    ///
    /// Generic because pictures depend on its last bits: a camera's estimated balance is computed in single precision,
    /// the balance of a setting in double precision.
    ///
    /// - Parameter r: 1,000 / kelvin, a thousandth of the mired value.
    public static func chromaticity<Number: BinaryFloatingPoint>(reciprocalKilokelvin r: Number) -> (
        x: Number, y: Number
    ) {
        let isWarm = r > 0.25
        let x =
            isWarm
            ? ((-0.266_123_9 * r - 0.234_358_9) * r + 0.877_695_6) * r + 0.179_910
            : ((-3.025_846_9 * r + 2.107_037_9) * r + 0.222_634_7) * r + 0.240_390
        let y: Number =
            if r > 1000 / 2222 {
                ((-1.106_381_4 * x - 1.348_110_2) * x + 2.185_558_32) * x - 0.202_196_83
            } else if isWarm {
                ((-0.954_947_6 * x - 1.374_185_93) * x + 2.091_370_15) * x - 0.167_488_67
            } else {
                ((3.081_758 * x - 5.873_386_7) * x + 3.751_129_97) * x - 0.370_014_83
            }
        return (x, y)
    }
}

/// Chromaticities of daylight by correlated colour temperature.
public enum DaylightLocus {
    /// The chromaticity of a CIE D illuminant from 4,000 K to 25,000 K (CIE 15:2004, section 3.1).
    ///
    /// - Parameter r: 1,000 / kelvin.
    public static func chromaticity(reciprocalKilokelvin r: Double) -> Chromaticity {
        let x =
            r >= 1000.0 / 7000
            ? ((-4.6070 * r + 2.9678) * r + 0.09911) * r + 0.244063
            : ((-2.0064 * r + 1.9018) * r + 0.24748) * r + 0.237040
        return Chromaticity(x: x, y: (-3.000 * x + 2.870) * x - 0.275)
    }
}
