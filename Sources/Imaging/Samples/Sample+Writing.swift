import Glibc
public import PictureFormat
internal import Pixels

/// The error of a sample that could not be written.
public struct SampleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path.
    public let path: String
    /// `errno`.
    public let errorNumber: Int32

    /// A sentence for users.
    public var description: String {
        unsafe "\(path) could not be written: \(String(cString: strerror(errorNumber))). "
            + "Check that the folder exists and the disk is not full."
    }
}

extension Sample {
    /// Writes a numbered sample. An existing file is replaced after the new one is complete.
    ///
    /// - Parameters:
    ///   - index: the sample's number.
    ///   - size: width and height in pixels.
    ///   - path: of the file.
    /// - Throws: `SampleError`.
    public static func write(index: Int, size: PixelSize = defaultSize, to path: String) throws(SampleError) {
        let bytes = dng(index: index, size: size)
        let unfinished = path + ".part"
        let file = unsafe open(unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw SampleError(path: path, errorNumber: errno) }
        let failure = write(bytes, to: file)
        let closing = close(file) == 0 ? 0 : errno
        guard failure == 0, closing == 0 else {
            unsafe unlink(unfinished)
            throw SampleError(path: path, errorNumber: failure == 0 ? closing : failure)
        }
        guard unsafe rename(unfinished, path) == 0 else {
            let number = errno
            unsafe unlink(unfinished)
            throw SampleError(path: path, errorNumber: number)
        }
    }

    /// - Returns: 0, or `errno`.
    private static func write(_ bytes: [UInt8], to file: Int32) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = unsafe Glibc.write(file, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return errno }
                done += count
            }
            return 0
        }
    }
}
