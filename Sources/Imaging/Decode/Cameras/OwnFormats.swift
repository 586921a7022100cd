/// Which cameras write nothing but files that Rawmill decompresses itself: CR2, and DNG.
///
/// LibRaw's list names cameras, not formats. `StoredSamples` decides by the file; this says beforehand what it will find.
enum OwnFormats {
    static func include(_ camera: CameraName) -> Bool {
        let model = camera.firstModel
        switch camera.make.lowercased() {
        case "adobe", "google", "dji": return true
        case "apple": return model.hasPrefix("iP")
        case "canon": return writesCR2(model) && !camera.model.contains("CHDK")
        case "leica":
            return leicasOfDNG.contains { model == $0 || model.hasPrefix($0 + " ") || model.hasPrefix($0 + "-") }
        case "ricoh": return model.hasPrefix("GR")
        default: return false
        }
    }

    // MARK: Canon

    private static func writesCR2(_ model: String) -> Bool {
        guard model.hasPrefix("EOS") else { return compactsOfCR2.contains(model) }
        return !model.hasPrefix("EOS R") && !model.hasPrefix("EOS C") && !otherEOS.contains(model.uppercased())
    }

    /// EOS cameras that write something else, or a CR2 that is left to LibRaw.
    private static let otherEOS: Set<String> = [
        // CRW, and TIFF.
        "EOS D30", "EOS D60", "EOS 10D", "EOS 300D", "EOS D2000", "EOS-1D", "EOS-1DS",
        // It shifts its samples by two.
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

    // MARK: Leica

    /// Those that Leica builds itself. The others are Panasonic's.
    private static let leicasOfDNG = [
        "CL", "M", "M8", "M8.2", "M9", "M10", "M11", "Monochrom", "Q", "Q2", "R8", "S", "S2", "S3", "SL", "SL2", "T",
        "TL",
        "TL2", "X", "X1", "X2", "Digital-Modul-R",
    ]
}
