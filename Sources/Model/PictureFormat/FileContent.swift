/// Detects a file's type by its first bytes.
public enum FileContent {
    /// The type of a file that is not a RAW, with an article: "a JPEG picture"; nil if unknown, as for every RAW.
    ///
    /// - Parameters:
    ///   - start: the first 16 bytes of the file, or all of a shorter one.
    ///   - sizeBytes: the whole file's size.
    public static func foreignKind(of start: [UInt8], sizeBytes: Int) -> String? {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            let bytes = "\(text)".utf8
            return start.count >= offset + bytes.count && start[offset...].starts(with: bytes)
        }
        if start.starts(with: [0xff, 0xd8, 0xff]) { return "a JPEG picture" }
        if has("PNG", at: 1) { return "a PNG picture" }
        if has("GIF8") { return "a GIF picture" }
        if has("WEBP", at: 8) { return "a WebP picture" }
        if has("JXL ", at: 4) || start.starts(with: [0xff, 0x0a]) { return "a JPEG XL picture" }
        if has("8BPS") { return "a Photoshop document" }
        if has("%PDF") { return "a PDF document" }
        if start.starts(with: [0x50, 0x4b, 0x03, 0x04]) { return "a ZIP archive" }
        if has("<?xml") || has("<x:xmpmeta") { return "an XML or XMP document" }
        // A BMP contains its own size.
        if has("BM"), start.count >= 6, start[2..<6].reversed().reduce(0, { $0 << 8 | Int($1) }) == sizeBytes {
            return "a BMP picture"
        }
        if has("ftyp", at: 4), !has("crx ", at: 8) {
            let stills: [StaticString] = ["heic", "heix", "mif1", "msf1", "avif", "hevc"]
            return stills.contains { has($0, at: 8) } ? "a HEIF or AVIF picture" : "a video"
        }
        return nil
    }
}
