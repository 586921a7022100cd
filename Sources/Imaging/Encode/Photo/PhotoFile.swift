/// The file that a photo is written to. One of 16 bits per channel is written while it is developed: it would fill the
/// memory of a second frame.
public protocol PhotoFile: AnyObject, Sendable {
    /// Writes bytes at a place of the file, which grows to hold them.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PhotoFileError)
    /// Reads as many bytes as the buffer has. They were written before.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(PhotoFileError)
    /// Ends the file after `byteCount` bytes.
    func cut(toBytes byteCount: Int) throws(PhotoFileError)
    /// Makes these bytes the whole file, to which nothing was written before.
    func fill(with bytes: UnsafeRawBufferPointer) throws(PhotoFileError)
}

/// A photo's file cannot be written. Who made the file knows why.
public struct PhotoFileError: Error {
    /// Says nothing more.
    public init() {}
}

extension PhotoFile {
    /// Makes these bytes the whole file.
    public func fill(with bytes: UnsafeRawBufferPointer) throws(PhotoFileError) {
        try unsafe write(bytes, at: 0)
        try cut(toBytes: bytes.count)
    }

    /// Makes these bytes the whole file.
    ///
    /// - Returns: how many there are.
    func replace(with bytes: UnsafeRawBufferPointer) throws(EncodeError) -> Int {
        do throws(PhotoFileError) { try unsafe fill(with: bytes) } catch { throw .fileFailed }
        return bytes.count
    }
}
