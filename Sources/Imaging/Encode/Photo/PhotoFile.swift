/// The file that a photo is written to. 16-bit photos are written while they are developed, to keep them out of memory.
public protocol PhotoFile: AnyObject, Sendable {
    /// Writes bytes at an offset, growing the file as needed.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PhotoFileError)
    /// Fills the buffer with bytes that were written before.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(PhotoFileError)
    /// Truncates the file to `byteCount` bytes.
    func cut(toBytes byteCount: Int) throws(PhotoFileError)
    /// Makes these bytes the whole content of an empty file.
    func fill(with bytes: UnsafeRawBufferPointer) throws(PhotoFileError)
}

/// A photo's file could not be written or read. Its owner knows the reason.
public struct PhotoFileError: Error {
    /// Creates the error.
    public init() {}
}

extension PhotoFile {
    /// Makes these bytes the whole content of the file.
    public func fill(with bytes: UnsafeRawBufferPointer) throws(PhotoFileError) {
        try unsafe write(bytes, at: 0)
        try cut(toBytes: bytes.count)
    }

    /// Makes these bytes the whole content of the file.
    ///
    /// - Returns: the size in bytes.
    func replace(with bytes: UnsafeRawBufferPointer) throws(EncodeError) -> Int {
        do throws(PhotoFileError) { try unsafe fill(with: bytes) } catch { throw .fileFailed }
        return bytes.count
    }
}
