import Compression
public import Metadata
public import PictureFormat
public import Pixels
import Synchronization

/// What a photo with 16 bits a channel says of itself, in its file.
public struct RGB16Metadata: Sendable {
    /// Its size is the photo's.
    public var exif: RenditionExif
    /// The XMP packet, in UTF-8.
    public var xmp: [UInt8]
    /// The ICC profile.
    public var profile: [UInt8]

    /// The parameters are the properties of the same names.
    public init(exif: RenditionExif, xmp: [UInt8], profile: [UInt8]) {
        self.exif = exif
        self.xmp = xmp
        self.profile = profile
    }
}

/// Writes one photo with 16 bits a channel as TIFF or PNG, strip by strip, while it is developed.
///
/// Only the strips that threads are at work on are in memory. The file has the same bytes for any order of the strips and
/// any number of threads.
public final class RGB16Encoder: RGB16PhotoEncoder {
    /// TIFF's offsets have 32 bits. A PNG is written by the same rule.
    static let maxFileBytes = Int(UInt32.max)

    private struct State {
        var strips: FileStrips
        /// By strip, the checksum of its filtered rows, for a PNG.
        var checksums: [UInt32]
        var free: [StripCoder] = []
        var failure: EncodeError?
        var encodingTime = Duration.zero
    }

    private let size: PixelSize
    private let file: any PhotoFile
    private let coding: any StripCoding
    private let state: Mutex<State>

    /// Begins a photo: writes what it says of itself.
    ///
    /// - Parameters:
    ///   - format: TIFF or PNG.
    ///   - metadata: what the photo says of itself; `exif` has its size.
    ///   - file: empty.
    /// - Throws: `tooLargeForFormat`, `fileFailed`, and what zlib may throw.
    public init(_ format: PhotoFormat, _ metadata: RGB16Metadata, file: any PhotoFile) throws(EncodeError) {
        size = PixelSize(width: metadata.exif.width, height: metadata.exif.height)
        self.file = file
        let count = PictureStrip.count(size)
        coding = format == .png ? PNGStripCoding() : TIFFStripCoding()
        let start = try Self.head(format, metadata) + coding.start
        let coder = try StripCoder(coding, width: size.width)
        let (bytes, overflow) = count.multipliedReportingOverflow(by: coder.worstCase)
        guard !overflow, bytes < Self.maxFileBytes - start.count - 4096 else { throw .tooLargeForFormat(size) }
        state = Mutex(
            State(
                strips: FileStrips(count: count, from: start.count, worstCase: coder.worstCase),
                checksums: Array(repeating: 1, count: count), free: [coder]))
        try Self.write(start, at: 0, file)
    }

    /// Time spent on the strips, summed over all threads.
    public var encodingTime: Duration { state.withLock { $0.encodingTime } }

    /// Encodes a strip on the calling thread and writes it. An error is kept and thrown when the photo is completed.
    public func write(_ strip: RGB16Strip) {
        let start = ContinuousClock.now
        let free = state.withLock { $0.free.popLast() }
        do throws(EncodeError) {
            guard strip.picture == size else { throw .encoderFailed("a strip is of another picture") }
            let coder: StripCoder
            if let free { coder = free } else { coder = try StripCoder(coding, width: size.width) }
            defer { state.withLock { $0.free.append(coder) } }
            let piece = try coder.encode(strip)
            let offset = state.withLock { state -> Int? in
                guard let offset = state.strips.add(strip.index, byteCount: piece.bytes.count) else { return nil }
                state.checksums[strip.index] = piece.adler32
                return offset
            }
            guard let offset else { throw .encoderFailed("it was given a strip twice") }
            do throws(PhotoFileError) { try file.write(piece.bytes, at: offset) } catch { throw .fileFailed }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
        state.withLock { $0.encodingTime += ContinuousClock.now - start }
    }

    /// Completes the photo. All strips must have been written.
    ///
    /// - Returns: the file's size in bytes.
    /// - Throws: `EncodeError`, also for what went wrong with a strip.
    public func finish() throws(EncodeError) -> Int {
        let (failure, isComplete) = state.withLock { ($0.failure, $0.strips.isComplete) }
        if let failure { throw failure }
        guard isComplete else { throw .encoderFailed("it was given only a part of the picture") }
        try moveStrips()
        let (strips, checksums) = state.withLock { ($0.strips, $0.checksums) }
        var end = strips.end
        let rows = coding.rowBytes(width: size.width)
        var sum: UInt32 = 1
        for (index, part) in checksums.enumerated() {
            let height = min(PictureStrip.rows, size.height - index * PictureStrip.rows)
            sum = Checksum.adler32(sum, then: part, byteCount: rows * height)
        }
        let tail = coding.end(adler32: sum)
        try Self.write(tail, at: end, file)
        end += tail.count
        do throws(PhotoFileError) { try file.cut(toBytes: end) } catch { throw .fileFailed }
        return end
    }

    private func moveStrips() throws(EncodeError) {
        var buffer: UnsafeMutableRawBufferPointer?
        defer { buffer?.deallocate() }
        while let move = state.withLock({ $0.strips.move() }) {
            let space = buffer ?? .allocate(byteCount: 1 << 20, alignment: 64)
            buffer = space
            for done in stride(from: 0, to: move.byteCount, by: space.count) {
                let piece = UnsafeMutableRawBufferPointer(rebasing: space[..<min(space.count, move.byteCount - done)])
                do throws(PhotoFileError) {
                    try file.read(into: piece, at: move.from + done)
                    try file.write(UnsafeRawBufferPointer(piece), at: move.to + done)
                } catch { throw .fileFailed }
            }
        }
    }

    /// What a photo says of itself, as its file begins with it.
    static func head(_ format: PhotoFormat, _ metadata: RGB16Metadata) throws(EncodeError) -> [UInt8] {
        let (exif, xmp, profile) = (metadata.exif, metadata.xmp, metadata.profile)
        switch format {
        case .jpeg, .avif, .jxl: throw .encoderFailed("\(format.rawValue) has less than 16 bits a channel")
        case .png: return try PNGChunks.head(exif: exif, xmp: xmp, profile: profile)
        case .tiff:
            return TIFFPhotoHead(exif: exif, xmp: xmp, profile: profile, rowsPerStrip: PictureStrip.rows).bytes()
        }
    }

    static func write(_ bytes: [UInt8], at offset: Int, _ file: any PhotoFile) throws(EncodeError) {
        do throws(PhotoFileError) {
            try bytes.span.bytes.withUnsafeBytes { bytes throws(PhotoFileError) in
                try file.write(bytes, at: offset)
            }
        } catch { throw .fileFailed }
    }
}
