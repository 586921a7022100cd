/// The part of a name that the files of one shot share: `IMG_1` for `IMG_1.CR2`, `IMG_1.JPG`, `IMG_1.CR2.xmp` and
/// `IMG_1.CR2.dng`; `PXL_1` for a Google Pixel's `PXL_1.RAW-01.COVER.jpg` and `PXL_1.RAW-02.ORIGINAL.dng`.
///
/// Listings are sorted by family name first, so a RAW and its companions are adjacent, and a folder of any size needs
/// only one family in memory at a time.
enum FamilyName {
    /// Length of the family name at the beginning of a name, in bytes.
    ///
    /// Known extensions are removed from the end, then a Pixel's part number. A file of unknown kind keeps its whole
    /// name.
    static func length(of name: some RandomAccessCollection<UInt8>) -> Int {
        var stem = name[...]
        while let dot = stem.lastIndex(of: .dot), dot != stem.startIndex,
            NameKind(fileExtension: stem[stem.index(after: dot)...]) != .other
        {
            stem = stem[..<dot]
        }
        guard stem.endIndex != name.endIndex else { return name.count }
        return lengthWithoutPixelPart(stem) ?? stem.count
    }

    /// The number of bytes before the last `.RAW-0n.`; nil if there is none.
    private static func lengthWithoutPixelPart(_ stem: some RandomAccessCollection<UInt8>) -> Int? {
        let mark = Array(".RAW-0".utf8)
        var found: Int?
        for (offset, start) in stem.indices.enumerated().dropFirst() where stem[start] == .dot {
            let part = stem[start...].prefix(mark.count + 2)
            guard part.count == mark.count + 2, part.starts(with: mark), part.last == .dot else { continue }
            found = offset
        }
        return found
    }
}

extension [UInt8] {
    /// The name up to its last dot: `IMG_1` of `IMG_1.CR2`; the whole name if it has no extension.
    var base: ArraySlice<UInt8> {
        guard let dot = lastIndex(of: .dot), dot != startIndex else { return self[...] }
        return self[..<dot]
    }
}
