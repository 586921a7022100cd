/// Files of one shot share a family name: `IMG_1` for `IMG_1.CR2`, `IMG_1.JPG`, `IMG_1.CR2.xmp` and `IMG_1.CR2.dng`;
/// `PXL_1` for a Google Pixel's `PXL_1.RAW-01.COVER.jpg` and `PXL_1.RAW-02.ORIGINAL.dng`.
///
/// A folder's listing is sorted by family name first, so that whatever belongs to a RAW stands beside it and a folder
/// of any size needs one family in memory at a time.
enum FamilyName {
    /// Bytes at the beginning of `name` that are its family name: known extensions are taken off its end, then a
    /// Pixel's part number. The whole name for a file of no known kind.
    static func length(of name: some RandomAccessCollection<UInt8>) -> Int {
        var stem = name[...]
        while let dot = stem.lastIndex(of: .dot), dot != stem.startIndex,
            NameKind(fileExtension: stem[stem.index(after: dot)...]) != .other
        {
            stem = stem[..<dot]
        }
        guard stem.endIndex != name.endIndex else { return name.count }
        return pixelPart(stem) ?? stem.count
    }

    /// Bytes before `.RAW-0n.`, where a Pixel's part number stands.
    private static func pixelPart(_ stem: some RandomAccessCollection<UInt8>) -> Int? {
        let mark = Array(".RAW-0".utf8)
        var found: Int?
        for (place, start) in stem.indices.enumerated().dropFirst() where stem[start] == .dot {
            let part = stem[start...].prefix(mark.count + 2)
            guard part.count == mark.count + 2, part.starts(with: mark), part.last == .dot else { continue }
            found = place
        }
        return found
    }
}

extension [UInt8] {
    /// The name up to its last dot: `IMG_1` of `IMG_1.CR2`. The whole of a name that has no extension.
    var base: ArraySlice<UInt8> {
        guard let dot = lastIndex(of: .dot), dot != startIndex else { return self[...] }
        return self[..<dot]
    }
}
