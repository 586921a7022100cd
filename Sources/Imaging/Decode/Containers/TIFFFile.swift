import TIFF

/// The directories of a TIFF file (TIFF Revision 6.0, Adobe 1992). Checks every offset, because LibRaw's parser trusts
/// its input.
struct TIFFFile {
    private static let maxDirectories = 64
    private static let maxDepth = 4

    let reader: ByteReader
    /// The main chain, each directory followed by its sub-directories: LibRaw's order of frames.
    private(set) var directories: [TIFFDirectory] = []
    /// False if a directory or its table lies outside the file.
    private(set) var isWhole = true

    /// Reads all directories; nil if the header is not TIFF's. Ignores the magic number, because cameras write
    /// different ones.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = unsafe ByteReader(bytes, .littleEndian)
        if reader.starts(with: "MM") {
            reader = unsafe ByteReader(bytes, .bigEndian)
        } else if !reader.starts(with: "II") {
            return nil
        }
        // Canon's CRW starts similarly.
        guard let first = reader.offset32(4), !reader.starts(with: "HEAPCCDR", at: 6) else { return nil }
        self.reader = reader
        var seen: Set<Int> = []
        readChain(from: first, seen: &seen)
    }

    private mutating func readChain(from first: Int, seen: inout Set<Int>) {
        var offset = first
        while offset != 0 {
            guard let directory = readDirectory(at: offset, depth: 0, seen: &seen) else { return }
            guard let next = reader.offset32(directory.nextOffset) else {
                isWhole = false
                return
            }
            offset = next
        }
    }

    /// Nil if the directory was read before, exceeds a limit, or lies outside the file.
    @discardableResult
    private mutating func readDirectory(at offset: Int, depth: Int, seen: inout Set<Int>) -> TIFFDirectory? {
        guard directories.count < Self.maxDirectories, depth < Self.maxDepth, seen.insert(offset).inserted else {
            return nil
        }
        guard let directory = TIFFDirectory(reader, at: offset) else {
            isWhole = false
            return nil
        }
        directories.append(directory)
        for child in directory.integers(.subIFDs) ?? [] { readDirectory(at: child, depth: depth + 1, seen: &seen) }
        return directory
    }

    var hasTIFFMagic: Bool { reader.uint16(2) == 42 }

    /// In a CR2, Canon's mark and the format version follow the header.
    var isCR2: Bool { hasTIFFMagic && reader.starts(with: "CR\u{2}", at: 8) }
}

extension TIFFFile {
    /// Whether all pictures are ordinary: RGB or grey, uncompressed or in a common coding, and not a camera's RAW.
    var isOrdinaryPicture: Bool {
        guard let main = directories.first, hasTIFFMagic, !main.has(.dngVersion) else { return false }
        return directories.allSatisfy { directory in
            guard let kind = directory.integer(.photometricInterpretation) else { return !directory.has(.imageWidth) }
            return TIFFPhotometric.ordinary.contains(kind)
                && TIFFCompression.ordinary.contains(directory.compression)
        } && !main.has(.subIFDs) && !main.has(.make)
    }

    var hasSensorSamples: Bool {
        directories.contains { directory in
            directory.has(.dngVersion) || directory.isSensorPicture
                || directory.compression > 32_000 && directory.compression != TIFFCompression.packBits
        } || directories.first?.has(.make) == true
    }

    /// Whether the directories are unreliable: several broken fields, or a DNG without a version. LibRaw would guess at
    /// such a file as if from an unknown camera.
    var isShattered: Bool {
        guard hasTIFFMagic else { return false }
        guard let main = directories.first else { return true }
        let dngFields: [TIFFTag] = [
            .dngBackwardVersion, .uniqueCameraModel, .cfaPlaneColor, .whiteLevel, .colorMatrix1, .asShotNeutral,
            .newRawImageDigest,
        ]
        let isDNG = main.has(.dngVersion) || main.unreadable.contains(.dngVersion)
        return main.brokenCount >= 4 || !isDNG && main.isSensorPicture && !isWhole
            || !isDNG && dngFields.filter { main.has($0) }.count >= 3
    }
}
