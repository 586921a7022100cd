/// Finds the companions of a RAW by name: `IMG_1.xmp`, `IMG_1.CR2.xmp`, `IMG_1.JPG`, `IMG_1.WAV` for `IMG_1.CR2`.
public enum CompanionName {
    /// In lower case: sidecars of several programs, cameras' JPEGs, sound and video.
    public static let extensions: Set<String> = [
        "xmp", "jpg", "jpeg", "heic", "hif", "wav", "mp3", "m4a", "aac", "mov", "mp4", "avi", "mts", "m4v", "thm",
        "lrv",
        "pp3", "dop", "cos", "on1", "vrd", "aae",
    ]

    /// Whether a file of that name is a companion of the RAW in the same folder.
    public static func belongs(_ name: [UInt8], to raw: [UInt8]) -> Bool {
        guard name != raw, let dot = name.lastIndex(of: UInt8(ascii: ".")),
            extensions.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
        else { return false }
        return name[..<dot].elementsEqual(raw) || name[..<dot].elementsEqual(base(of: raw))
    }

    /// The common part of a shot's file names: up to the last dot, `IMG_1` of `IMG_1.CR2`.
    public static func base(of name: [UInt8]) -> ArraySlice<UInt8> {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return name[...] }
        return name[..<dot]
    }

    /// The name of a companion after its RAW was renamed: `IMG_1 (2).JPG` if `IMG_1.CR2` became `IMG_1 (2).CR2`. Nil
    /// for other files.
    public static func renamed(_ name: [UInt8], of raw: [UInt8], to newRaw: [UInt8]) -> [UInt8]? {
        guard belongs(name, to: raw) else { return nil }
        if name.starts(with: raw + [UInt8(ascii: ".")]) { return newRaw + name.dropFirst(raw.count) }
        return Array(base(of: newRaw)) + name.dropFirst(base(of: raw).count)
    }
}
