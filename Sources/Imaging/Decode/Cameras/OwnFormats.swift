/// Cameras whose files Rawmill always decompresses without LibRaw: CR2, DNG, lossless RAF, and the usual PEF, ORF and
/// RW2. LibRaw lists cameras, not formats; `StoredSamples` decides for each file, and this type predicts its decision.
enum OwnFormats {
    static func include(_ camera: CameraName) -> Bool {
        let model = camera.firstModel
        switch camera.make.lowercased() {
        case "adobe", "google", "dji": return true
        case "apple": return model.hasPrefix("iP")
        case "canon": return writesCR2(model) && !camera.model.contains("CHDK")
        case "fujifilm": return fujifilmsOfXTrans.contains(model.uppercased())
        case "leica":
            return leicasOfRWL.contains(camera.model)
                || leicasOfDNG.contains { model == $0 || model.hasPrefix($0 + " ") || model.hasPrefix($0 + "-") }
        case "olympus": return writesCompressedORF(model)
        case "panasonic": return !otherPanasonics.contains(model) && !model.hasPrefix("DC-S")
        case "pentax": return writesPEF(model)
        case "ricoh": return model.hasPrefix("GR")
        default: return false
        }
    }

    // MARK: Canon

    private static func writesCR2(_ model: String) -> Bool {
        guard model.hasPrefix("EOS") else { return compactsOfCR2.contains(model) }
        return !model.hasPrefix("EOS R") && !model.hasPrefix("EOS C") && !otherEOS.contains(model.uppercased())
    }

    /// EOS cameras with another format, or with a CR2 that LibRaw decodes.
    private static let otherEOS: Set<String> = [
        // CRW and TIFF.
        "EOS D30", "EOS D60", "EOS 10D", "EOS 300D", "EOS D2000", "EOS-1D", "EOS-1DS",
        // Shifts its samples by two bits.
        "EOS-1D MARK III",
        // CR3.
        "EOS 90D", "EOS 250D", "EOS 850D", "EOS M50", "EOS M50 MARK II", "EOS M6 MARK II", "EOS M200",
        "EOS-1D X MARK III",
    ]

    private static let compactsOfCR2 = Set(
        [
            "G1 X", "G1 X Mark II", "G1 X Mark III", "G3 X", "G5 X", "G7 X", "G7 X Mark II", "G9", "G9 X",
            "G9 X Mark II", "G10", "G11", "G12", "G15", "G16", "S90", "S95", "S100", "S110", "S120", "SX1 IS",
            "SX50 HS",
            "SX60 HS",
        ].map { "PowerShot \($0)" })

    // MARK: Fujifilm

    /// X-Trans cameras whose rows are multiples of 16 samples: the third and fourth sensor generations.
    private static let fujifilmsOfXTrans: Set<String> = [
        "X-PRO2", "X-T2", "X-T3", "X-T20", "X-T30", "X-E3", "X-H1", "X100F",
        "X-T4", "X-T30 II", "X-PRO3", "X-E4", "X-S10", "X100V",
    ]

    // MARK: Olympus

    /// All but the first models, which write several formats.
    private static func writesCompressedORF(_ model: String) -> Bool {
        let firsts: Set<String> = ["E-1", "E-10", "E-20", "E-300", "E-330", "E-500"]
        let families = ["E-", "Pen-F", "Stylus 1", "SH-", "TG-", "XZ-", "AIR"]
        return families.contains { model.hasPrefix($0) } && !firsts.contains(model)
    }

    // MARK: Panasonic

    /// Panasonic cameras from before RW2, with later versions of RW2, or with several formats.
    private static let otherPanasonics: Set<String> = [
        "DMC-LC1", "DMC-LX1", "DMC-LX2", "DMC-L1", "DMC-L10", "DMC-FZ8", "DMC-FZ18", "DMC-FZ30", "DMC-FZ50",
        "DC-GH5 II",
        "DC-GH5M2", "DC-GH6", "DC-GH7", "DC-G9M2", "DC-G9 II", "DC-BGH1", "DC-BS1H",
    ]

    // MARK: Pentax

    /// K and 645 series, except cameras with pixel shift.
    private static func writesPEF(_ model: String) -> Bool {
        let shifting: Set<String> = ["K-1", "K-1 Mark II", "K-3 II", "K-3 Mark III", "K-70", "KP", "KF"]
        return (model.hasPrefix("K") || model.hasPrefix("645")) && !shifting.contains(model)
    }

    // MARK: Leica

    /// Rebadged Panasonic cameras, which write RW2 as RWL.
    private static let leicasOfRWL: Set<String> = [
        "C (Typ 112)", "D-LUX4", "D-LUX5", "D-LUX6", "D-LUX7", "D-Lux (Typ 109)", "V-LUX2", "V-LUX3", "V-LUX4",
        "V-LUX5",
        "V-Lux (Typ 114)",
    ]

    private static let leicasOfDNG = [
        "CL", "M", "M8", "M8.2", "M9", "M10", "M11", "Monochrom", "Q", "Q2", "R8", "S", "S2", "S3", "SL", "SL2", "T",
        "TL",
        "TL2", "X", "X1", "X2", "Digital-Modul-R",
    ]
}
