/// Which files belong to a RAW, by their names: `IMG_1.xmp`, `IMG_1.CR2.xmp`, `IMG_1.JPG`, `IMG_1.WAV` to `IMG_1.CR2`.
public enum CompanionName {
    /// In lower case: sidecars of several programs, cameras' pictures, sound and films of the same shot.
    public static let extensions: Set<String> = [
        "xmp", "jpg", "jpeg", "heic", "hif", "wav", "mp3", "m4a", "aac", "mov", "mp4", "avi", "mts", "m4v", "thm",
        "lrv",
        "pp3", "dop", "cos", "on1", "vrd", "aae",
    ]

    /// True if a file of that name belongs to the RAW of the other, which is in the same folder.
    public static func belongs(_ name: [UInt8], to raw: [UInt8]) -> Bool {
        guard name != raw, let dot = name.lastIndex(of: UInt8(ascii: ".")),
            extensions.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
        else { return false }
        return name[..<dot].elementsEqual(raw) || name[..<dot].elementsEqual(base(of: raw))
    }

    /// What the files of a shot share: the name up to its last dot, `IMG_1` of `IMG_1.CR2`.
    public static func base(of name: [UInt8]) -> ArraySlice<UInt8> {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name[...] }
        return name[..<dot]
    }

    /// The name of a companion whose RAW has another name now: `IMG_1 (2).JPG` where `IMG_1.CR2` became `IMG_1 (2).CR2`. Nil for a
    /// file that does not belong to the RAW.
    public static func renamed(_ name: [UInt8], of raw: [UInt8], to newRaw: [UInt8]) -> [UInt8]? {
        guard belongs(name, to: raw) else { return nil }
        if name.starts(with: raw + [UInt8(ascii: ".")]) { return newRaw + name.dropFirst(raw.count) }
        return Array(base(of: newRaw)) + name.dropFirst(base(of: raw).count)
    }
}
