/// Extensions of camera RAW files. TIFF is left out: a TIFF is far more often a finished picture than a scanning back's
/// RAW. A TIFF named as a source is submitted anyway.
public enum RawExtensions {
    /// In lower case, without a dot.
    public static let all = byMaker.flatMap { $0.split(separator: " ").map(String.init) }

    private static let byMaker = [
        "3fr fff",  // Hasselblad
        "ari",  // Arri
        "arw sr2 srf srw x3f",  // Sony, Samsung, Sigma
        "bay",  // Casio
        "bmq cap iiq cs1 mos eip",  // Phase One, Leaf, Sinar and their backs
        "cine",  // Phantom
        "cr2 cr3 crw",  // Canon
        "dc2 dcr dcs drf k25 kc2 kdc",  // Kodak
        "dng",  // Adobe; phones, Leica, Pentax, Ricoh
        "erf",  // Epson
        "gpr",  // GoPro
        "ia sti pxn qtk rdc rmf obm",  // backs and early digital cameras
        "mdc mrw",  // Minolta
        "mef mfw",  // Mamiya
        "nef nrw",  // Nikon
        "orf ori",  // Olympus, OM System
        "pef ptx",  // Pentax
        "raf",  // Fujifilm
        "raw rw2 rwl",  // Panasonic, Leica
        "rwz",  // Rawzor
    ]
}
