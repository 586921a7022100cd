import TIFF
import PictureFormat

/// Finds the smallest embedded picture that suffices for comparison. Reading a camera's full-size JPEG takes as long as
/// reading the RAW; a thumbnail takes almost no time.
struct PreviewSearch {
    /// Pixels of the shorter side. A camera's thumbnail is 160 × 120.
    private static let minEdge = 80
    /// A JPEG of this size takes a few milliseconds.
    private static let maxBytes = 2 << 20
    private static let maxPixels = 64 << 20
    private static let plainEdges = 1...1024

    /// Whether pictures are for display. They may then have any length, because they are not decoded here.
    private let isForShow: Bool
    private var found: [EmbeddedPreview] = []
    private var hasDamaged = false

    init(isForShow: Bool = false) { self.isForShow = isForShow }

    var largest: EmbeddedPreview? { found.max { $0.size.pixelCount < $1.size.pixelCount } }

    var result: SmallPreviews {
        let sorted = found.sorted { $0.size.pixelCount < $1.size.pixelCount }
        let large = sorted.filter(Self.isLargeEnough)
        return SmallPreviews(
            candidates: large + sorted.filter { !Self.isLargeEnough($0) }.reversed(), hasDamaged: hasDamaged)
    }

    var isSuccessful: Bool { found.contains(where: Self.isLargeEnough) }

    private static func isLargeEnough(_ preview: EmbeddedPreview) -> Bool {
        min(preview.size.width, preview.size.height) >= minEdge
    }

    /// Adds JPEG and uncompressed 8-bit RGB pictures of all directories.
    mutating func add(_ tiff: TIFFFile) {
        for directory in tiff.directories {
            addJPEG(tiff.reader, directory.integer(.jpegInterchangeFormat), directory.jpegLength)
            guard let offsets = directory.integers(.stripOffsets), let counts = directory.integers(.stripByteCounts)
            else { continue }
            switch directory.compression {
            case TIFFCompression.oldJPEG, TIFFCompression.jpeg:
                if offsets.count == 1 { addJPEG(tiff.reader, offsets.first, counts.first) }
            case TIFFCompression.none: addPlain(tiff.reader, directory, offsets)
            default: break
            }
        }
    }

    mutating func add(jpeg bytes: UnsafeRawBufferPointer) {
        guard let outline = unsafe outline(bytes) else { return }
        let reader = unsafe ByteReader(bytes, .bigEndian)
        if let exif = unsafe outline.exif.flatMap(reader.slice), let tiff = unsafe TIFFFile(exif) {
            for directory in tiff.directories.dropFirst() {
                addJPEG(tiff.reader, directory.integer(.jpegInterchangeFormat), directory.jpegLength)
            }
        }
        unsafe add(outline, bytes)
    }

    private mutating func addJPEG(_ reader: ByteReader, _ offset: Int?, _ length: Int?) {
        guard let offset, let length, offset > 0, length > 0, let bytes = unsafe reader.slice(offset..<offset + length),
            let outline = unsafe outline(bytes)
        else { return }
        unsafe add(outline, bytes)
    }

    /// Nil for pictures that are slow to read. Records a JPEG marker without valid headers as damage.
    private mutating func outline(_ bytes: UnsafeRawBufferPointer) -> JPEGOutline? {
        guard let outline = unsafe JPEGOutline(bytes) else {
            if unsafe bytes.starts(with: [0xff, 0xd8, 0xff]) { hasDamaged = true }
            return nil
        }
        return outline.isSequential || isForShow && outline.isCommon ? outline : nil
    }

    private mutating func add(_ outline: JPEGOutline, _ bytes: UnsafeRawBufferPointer) {
        guard isForShow || bytes.count <= Self.maxBytes, outline.size.pixelCount <= (isForShow ? .max : Self.maxPixels)
        else {
            return
        }
        unsafe found.append(EmbeddedPreview(format: .jpeg, bytes: Array(bytes), size: outline.size))
    }

    /// Adds an uncompressed picture if its strips are contiguous.
    private mutating func addPlain(_ reader: ByteReader, _ directory: TIFFDirectory, _ offsets: [Int]) {
        guard directory.integer(.photometricInterpretation) == TIFFPhotometric.rgb,
            directory.integer(.samplesPerPixel) == 3, (directory.integer(.planarConfiguration) ?? 1) == 1,
            (directory.integers(.bitsPerSample) ?? []).allSatisfy({ $0 == 8 }),
            let width = directory.integer(.imageWidth), let height = directory.integer(.imageLength),
            Self.plainEdges.contains(width), Self.plainEdges.contains(height), let start = offsets.first, start > 0
        else { return }
        let rows = min(directory.integer(.rowsPerStrip) ?? height, height)
        let isOneRun = offsets.enumerated().allSatisfy { $1 == start + $0 * rows * width * 3 }
        guard rows > 0, isOneRun, let bytes = reader.array(offset: start, length: width * height * 3) else { return }
        found.append(EmbeddedPreview(format: .rgb8, bytes: bytes, size: PixelSize(width: width, height: height)))
    }
}

extension TIFFDirectory {
    fileprivate var jpegLength: Int? { integer(.jpegInterchangeFormatLength) }
}
