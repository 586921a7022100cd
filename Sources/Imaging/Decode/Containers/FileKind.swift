import Metadata

/// What a file is that is not a RAW, by its first bytes; nil where that is not known.
func foreignKind(of bytes: UnsafeRawBufferPointer) -> String? {
    let reader = unsafe ByteReader(bytes, .littleEndian)
    if reader.uint8(0) == 0xff, reader.uint8(1) == 0xd8, reader.uint8(2) == 0xff { return "a JPEG picture" }
    if reader.starts(with: "PNG", at: 1) { return "a PNG picture" }
    if reader.starts(with: "GIF8") { return "a GIF picture" }
    if reader.starts(with: "WEBP", at: 8) { return "a WebP picture" }
    if reader.starts(with: "JXL ", at: 4) || (reader.uint8(0) == 0xff && reader.uint8(1) == 0x0a) {
        return "a JPEG XL picture"
    }
    if reader.starts(with: "8BPS") { return "a Photoshop document" }
    if reader.starts(with: "%PDF") { return "a PDF document" }
    if reader.starts(with: "PK\u{3}\u{4}") { return "a ZIP archive" }
    if reader.starts(with: "<?xml") || reader.starts(with: "<x:xmpmeta") { return "an XML or XMP document" }
    if reader.starts(with: "BM"), reader.offset32(2) == reader.count { return "a BMP picture" }
    if reader.starts(with: "ftyp", at: 4), !reader.starts(with: "crx ", at: 8) {
        return isStillBrand(reader) ? "a HEIF or AVIF picture" : "a video"
    }
    return nil
}

private func isStillBrand(_ reader: ByteReader) -> Bool {
    let brands: [StaticString] = ["heic", "heix", "mif1", "msf1", "avif", "hevc"]
    return brands.contains { reader.starts(with: $0, at: 8) }
}
