import CLibRaw

/// What a file is that is not a RAW, by its first bytes; nil where that is not known.
func foreignKind(of bytes: UnsafeRawBufferPointer) -> String? {
    let reader = ByteReader(bytes: bytes, littleEndian: true)
    if reader.byte(0) == 0xff, reader.byte(1) == 0xd8, reader.byte(2) == 0xff { return "a JPEG picture" }
    if reader.starts(with: "PNG", at: 1) { return "a PNG picture" }
    if reader.starts(with: "GIF8") { return "a GIF picture" }
    if reader.starts(with: "WEBP", at: 8) { return "a WebP picture" }
    if reader.starts(with: "8BPS") { return "a Photoshop document" }
    if reader.starts(with: "%PDF") { return "a PDF document" }
    if reader.starts(with: "PK\u{3}\u{4}") { return "a ZIP archive" }
    if reader.starts(with: "<?xml") || reader.starts(with: "<x:xmpmeta") { return "an XML or XMP document" }
    if reader.starts(with: "BM"), reader.long(2) == reader.count { return "a BMP picture" }
    if reader.starts(with: "ftyp", at: 4), !reader.starts(with: "crx ", at: 8) {
        return isStillBrand(reader) ? "a HEIF or AVIF picture" : "a video"
    }
    return nil
}

private func isStillBrand(_ reader: ByteReader) -> Bool {
    let brands: [StaticString] = ["heic", "heix", "mif1", "msf1", "avif", "hevc"]
    return brands.contains { reader.starts(with: $0, at: 8) }
}

/// LibRaw takes some ordinary pictures for RAWs; nil for what is one.
func foreignKind(of bytes: UnsafeRawBufferPointer, tiff: TIFFFile?, facts: CLibRawFacts) -> String? {
    if let tiff { return tiff.isOrdinaryPicture ? "an ordinary TIFF picture" : nil }
    // Some cameras append their RAW to a JPEG; LibRaw then finds samples behind the JPEG's own data.
    return nil
}

extension TIFFFile {
    /// RGB or grey, uncompressed or by a method every viewer knows, and by no camera's RAW writer.
    var isOrdinaryPicture: Bool {
        guard let main = directories.first, reader.word(2) == 42, !main.has(50706) else { return false }
        let photometric = [0, 1, 2, 3, 5, 6, 8]
        return directories.allSatisfy { directory in
            guard let kind = directory.integer(262) else { return !directory.has(256) }
            return photometric.contains(kind)
                && [1, 2, 3, 4, 5, 7, 8, 32773, 32946].contains(directory.integer(259) ?? 1)
        } && !main.has(330) && !main.has(271)
    }

    /// True where some directory holds a sensor's samples.
    var hasSensorSamples: Bool {
        directories.contains { directory in
            directory.has(50706) || [32803, 34892].contains(directory.integer(262))
                || (directory.integer(259) ?? 1) > 32_000 && (directory.integer(259) ?? 1) != 32_773
        } || directories.first?.has(271) == true
    }
}
