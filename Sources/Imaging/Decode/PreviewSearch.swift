import PictureFormat
import Pixels

/// Looks for the smallest embedded picture that is good enough to compare with: a camera's full-size JPEG takes as long
/// to read as the RAW, its thumbnail next to nothing.
struct PreviewSearch {
    /// Pixels of the shorter side that a comparison wants; a camera's thumbnail is 160 × 120.
    private static let wantedEdge = 80
    /// A JPEG up to here is read in a few milliseconds.
    private static let mostBytes = 2 << 20
    private static let mostPixels = 64 << 20

    private(set) var found: [EmbeddedPreview] = []

    /// The smallest that is large enough, else the largest.
    var best: EmbeddedPreview? {
        let sorted = found.sorted { $0.size.pixelCount < $1.size.pixelCount }
        return sorted.first { min($0.size.width, $0.size.height) >= Self.wantedEdge } ?? sorted.last
    }

    var isContent: Bool { best.map { min($0.size.width, $0.size.height) >= Self.wantedEdge } ?? false }

    /// Adds the pictures of a TIFF file's directories: JPEG, or plain 8-bit RGB.
    mutating func add(_ tiff: TIFFFile) {
        for directory in tiff.directories {
            addJPEG(tiff.reader.bytes, directory.integer(513), directory.integer(514))
            guard let offsets = directory.integers(273), let counts = directory.integers(279) else { continue }
            switch directory.integer(259) ?? 1 {
            case 6, 7: if offsets.count == 1 { addJPEG(tiff.reader.bytes, offsets.first, counts.first) }
            case 1: addPlain(tiff.reader.bytes, directory, offsets)
            default: break
            }
        }
    }

    /// Adds a JPEG, and the thumbnail in its EXIF.
    mutating func add(jpeg bytes: UnsafeRawBufferPointer) {
        guard let outline = JPEGOutline(bytes), outline.isSequential else { return }
        if let exif = outline.exif, let tiff = TIFFFile(UnsafeRawBufferPointer(rebasing: bytes[exif])) {
            for directory in tiff.directories.dropFirst() {
                addJPEG(tiff.reader.bytes, directory.integer(513), directory.integer(514))
            }
        }
        guard bytes.count <= Self.mostBytes, outline.size.pixelCount <= Self.mostPixels else { return }
        found.append(EmbeddedPreview(format: .jpeg, bytes: Array(bytes), size: outline.size))
    }

    private mutating func addJPEG(_ file: UnsafeRawBufferPointer, _ offset: Int?, _ length: Int?) {
        guard let offset, let length, offset > 0, length > 0, offset <= file.count, length <= file.count - offset else {
            return
        }
        let bytes = UnsafeRawBufferPointer(rebasing: file[offset..<(offset + length)])
        guard let outline = JPEGOutline(bytes), outline.isSequential, length <= Self.mostBytes,
            outline.size.pixelCount <= Self.mostPixels
        else { return }
        found.append(EmbeddedPreview(format: .jpeg, bytes: Array(bytes), size: outline.size))
    }

    /// Strips that follow one another are one run of bytes.
    private mutating func addPlain(_ file: UnsafeRawBufferPointer, _ directory: TIFFDirectory, _ offsets: [Int]) {
        guard directory.integer(262) == 2, directory.integer(277) == 3, (directory.integer(284) ?? 1) == 1,
            (directory.integers(258) ?? []).allSatisfy({ $0 == 8 }), let width = directory.integer(256),
            let height = directory.integer(257), (1...1024).contains(width), (1...1024).contains(height),
            let start = offsets.first
        else { return }
        let rows = directory.integer(278) ?? height
        let isOneRun = offsets.enumerated().allSatisfy { $1 == start + $0 * rows * width * 3 }
        let count = width * height * 3
        guard rows > 0, isOneRun, start > 0, start <= file.count, count <= file.count - start else { return }
        found.append(
            EmbeddedPreview(
                format: .rgb8, bytes: Array(file[start..<(start + count)]),
                size: PixelSize(width: width, height: height)))
    }
}

extension Frame {
    consuming func smallPreview(limits: DecodeLimits) -> EmbeddedPreview? {
        var search = PreviewSearch()
        if let tiff { search.add(tiff) }
        if search.isContent { return search.best }
        guard let whole = preview(limits: limits) else { return search.best }
        switch whole.format {
        case .jpeg: whole.bytes.withUnsafeBytes { search.add(jpeg: $0) }
        case .rgb8: return whole
        }
        return search.best
    }
}
