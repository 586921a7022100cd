import Compression
import PictureFormat
import Pixels

/// One thread's memory for coding strips.
///
/// `@unchecked Sendable`: used only by the thread that took it from the encoder's list.
@safe final class StripCoder: @unchecked Sendable {
    @safe struct Piece {
        let bytes: UnsafeRawBufferPointer
        let adler32: UInt32
    }

    private let coding: any StripCoding
    private let rowBytes: Int
    private let deflater: Deflater?
    /// Rows before compression; empty if strips are not compressed.
    private let filtered: UnsafeMutableRawBufferPointer
    private let output: UnsafeMutableRawBufferPointer

    /// - Parameter width: the picture's, in pixels.
    init(_ coding: any StripCoding, width: Int) throws(EncodeError) {
        self.coding = coding
        rowBytes = coding.rowBytes(width: width)
        do throws(CompressionError) { deflater = coding.isCompressed ? try Deflater(.raw) : nil } catch {
            throw EncodeError(error)
        }
        let byteCount = rowBytes * PictureStrip.rows
        unsafe filtered = .allocate(byteCount: deflater == nil ? 0 : byteCount, alignment: 64)
        let (frame, worstCase) = (coding.frameBytes, deflater?.worstCase(byteCount) ?? byteCount)
        unsafe output = .allocate(byteCount: frame.before + worstCase + frame.after, alignment: 64)
    }

    deinit {
        unsafe filtered.deallocate()
        unsafe output.deallocate()
    }

    var worstCase: Int { unsafe output.count }

    /// Filters, compresses and frames a strip. May change its samples.
    func encode(_ strip: RGBStrip) throws(EncodeError) -> Piece {
        let rowsBytes = rowBytes * strip.height
        let frame = coding.frameBytes
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[frame.before..<output.count - frame.after])
        let rows = unsafe UnsafeMutableRawBufferPointer(rebasing: (deflater == nil ? room : filtered)[..<rowsBytes])
        unsafe coding.filter(strip, into: rows)
        let byteCount: Int
        do throws(CompressionError) { byteCount = try unsafe deflater?.compress(rows, into: room) ?? rowsBytes } catch {
            throw EncodeError(error)
        }
        let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: output[..<(frame.before + byteCount + frame.after)])
        unsafe coding.frame(piece)
        return unsafe Piece(
            bytes: UnsafeRawBufferPointer(piece),
            adler32: deflater == nil ? 1 : Checksum.adler32(UnsafeRawBufferPointer(rows)))
    }
}
