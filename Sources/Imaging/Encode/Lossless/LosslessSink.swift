import Compression
import PictureFormat
import Pixels
import Synchronization

/// Writes one 16-bit photo as TIFF or PNG, strip by strip, while it is developed.
///
/// Only strips in progress are in memory. The bytes do not depend on the order of the strips or the number of threads.
final class LosslessSink: PictureSink {
    /// TIFF offsets have 32 bits. The same limit applies to PNG.
    static let maxFileBytes = Int(UInt32.max)

    private struct State {
        var strips: FileStrips
        /// Adler-32 of each strip's filtered rows, for PNG.
        var checksums: [UInt32]
        var free: [StripCoder] = []
        var failure: EncodeError?
        var encodingTime = Duration.zero
    }

    private let size: PixelSize
    private let file: any PhotoFile
    private let coding: any StripCoding
    private let state: Mutex<State>

    /// Writes the file's head.
    ///
    /// - Throws: `tooLargeForFormat`, `fileFailed`, and errors of zlib.
    init(_ coding: any StripCoding, _ metadata: EmbeddedMetadata, file: any PhotoFile) throws(EncodeError) {
        self.coding = coding
        size = metadata.size
        self.file = file
        let count = PictureStrip.count(size)
        let start = try coding.head(metadata) + coding.start
        let coder = try StripCoder(coding, width: size.width)
        let (bytes, overflow) = count.multipliedReportingOverflow(by: coder.worstCase)
        guard !overflow, bytes < Self.maxFileBytes - start.count - 4096 else { throw .tooLargeForFormat(size) }
        state = Mutex(
            State(
                strips: FileStrips(count: count, from: start.count, worstCase: coder.worstCase),
                checksums: Array(repeating: 1, count: count), free: [coder]))
        try Self.write(start, at: 0, file)
    }

    var encodingTime: Duration { state.withLock { $0.encodingTime } }

    /// Encodes and writes a strip on the calling thread. `finish` throws the first error.
    func write(_ strip: PictureStrip) {
        let start = ContinuousClock.now
        let free = state.withLock { $0.free.popLast() }
        do throws(EncodeError) {
            guard case .rgb(let strip) = strip else { throw .wrongDepth }
            guard strip.picture == size else { throw .encoderFailed("a strip belongs to another picture") }
            let coder: StripCoder
            if let free { coder = free } else { coder = try StripCoder(coding, width: size.width) }
            defer { state.withLock { $0.free.append(coder) } }
            let piece = try coder.encode(strip)
            let offset = state.withLock { state -> Int? in
                guard let offset = unsafe state.strips.add(strip.index, byteCount: piece.bytes.count) else {
                    return nil
                }
                state.checksums[strip.index] = piece.adler32
                return offset
            }
            guard let offset else { throw .encoderFailed("it received a strip twice") }
            do throws(PhotoFileError) { try unsafe file.write(piece.bytes, at: offset) } catch { throw .fileFailed }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
        }
        state.withLock { $0.encodingTime += ContinuousClock.now - start }
    }

    func finish(_ supplement: PhotoSupplement) throws(EncodeError) -> Int {
        let (failure, isComplete) = state.withLock { ($0.failure, $0.strips.isComplete) }
        if let failure { throw failure }
        guard isComplete else { throw .encoderFailed("it received only a part of the picture") }
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
        defer { unsafe buffer?.deallocate() }
        while let move = state.withLock({ $0.strips.move() }) {
            let space = unsafe buffer ?? .allocate(byteCount: 1 << 20, alignment: 64)
            unsafe buffer = space
            for done in stride(from: 0, to: move.byteCount, by: space.count) {
                let piece = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: space[..<min(space.count, move.byteCount - done)])
                do throws(PhotoFileError) {
                    try unsafe file.read(into: piece, at: move.from + done)
                    try unsafe file.write(UnsafeRawBufferPointer(piece), at: move.to + done)
                } catch { throw .fileFailed }
            }
        }
    }

    static func write(_ bytes: [UInt8], at offset: Int, _ file: any PhotoFile) throws(EncodeError) {
        do throws(PhotoFileError) {
            try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(PhotoFileError) in
                try unsafe file.write(bytes, at: offset)
            }
        } catch { throw .fileFailed }
    }
}
