/// What a file is, judged by the extension of its name in any case.
enum NameKind: Hashable, Sendable {
    case raw, jpeg, sidecar, other

    init(name: some BidirectionalCollection<UInt8>) {
        guard let dot = name.lastIndex(of: .dot), dot != name.startIndex else {
            self = .other
            return
        }
        self.init(fileExtension: name[name.index(after: dot)...])
    }

    init(fileExtension: some Collection<UInt8>) {
        guard let packed = packedLowerCase(fileExtension) else {
            self = .other
            return
        }
        switch packed {
        case Self.xmpName: self = .sidecar
        case Self.jpgName, Self.jpegName: self = .jpeg
        default: self = rawExtensions.contains(packed) ? .raw : .other
        }
    }

    private static let xmpName = packedLowerCase("xmp".utf8)
    private static let jpgName = packedLowerCase("jpg".utf8)
    private static let jpegName = packedLowerCase("jpeg".utf8)
}

extension UInt8 {
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
}

/// Extensions of camera RAW files, by maker. TIFF is left out: a TIFF is far more often a finished picture than a
/// scanning back's RAW, and one that is named as a source is submitted anyway.
private let rawExtensions: Set<UInt64> = {
    let byMaker = [
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
    return Set(byMaker.flatMap { $0.split(separator: " ") }.compactMap { packedLowerCase($0.utf8) })
}()

/// One to eight ASCII letters and digits, in lower case, as one number; nil for anything else.
private func packedLowerCase(_ text: some Collection<UInt8>) -> UInt64? {
    var packed: UInt64 = 0
    var count = 0
    for byte in text {
        count += 1
        guard count <= 8 else { return nil }
        switch byte {
        case 0x30...0x39, 0x61...0x7A: packed = packed << 8 | UInt64(byte)
        case 0x41...0x5A: packed = packed << 8 | UInt64(byte | 0x20)
        default: return nil
        }
    }
    return count == 0 ? nil : packed
}
