import PictureFormat
import Pixels

/// The most that a file may take. Checked by its header, before any sample is decompressed.
public struct DecodeLimits: Hashable, Sendable {
    /// Pixels of the whole sensor, margins included.
    public var pixels: Int
    /// Bytes of the file.
    public var fileBytes: Int
    /// Bytes of memory the decoder may take at once for samples.
    public var memoryBytes: Int

    /// The standard limits, but for those given.
    public init(pixels: Int = 300_000_000, fileBytes: Int = 1 << 30, memoryBytes: Int = 2 << 30) {
        self.pixels = pixels
        self.fileBytes = fileBytes
        self.memoryBytes = memoryBytes
    }

    /// 300 megapixels, files of 1 GiB, memory of 2 GiB.
    public static let standard = DecodeLimits()
}

extension DecodeLimits {
    /// - Throws: `tooLarge`.
    func check(fileBytes count: Int) throws(DecodeError) {
        guard count <= fileBytes else {
            throw DecodeError(.tooLarge, "The file has \(count) bytes; at most \(fileBytes) are allowed.")
        }
    }

    /// - Parameter bytesPerPixel: of all the memory that decoding holds at its peak.
    /// - Throws: `tooLarge`.
    func check(sensor size: PixelSize, bytesPerPixel: Int) throws(DecodeError) {
        let (count, overflow) = size.width.multipliedReportingOverflow(by: size.height)
        guard !overflow, count <= pixels else {
            throw DecodeError(
                .tooLarge, "The sensor has \(size.width) × \(size.height) pixels; at most \(pixels) are allowed.")
        }
        let (bytes, tooMany) = count.multipliedReportingOverflow(by: bytesPerPixel)
        guard !tooMany, bytes <= memoryBytes else {
            throw DecodeError(
                .tooLarge,
                "Decoding \(size.width) × \(size.height) pixels takes more than the allowed \(memoryBytes) bytes.")
        }
    }
}
