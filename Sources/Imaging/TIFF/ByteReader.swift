/// Reads numbers from untrusted bytes. Every read is checked against the end of the bytes and returns nil beyond it.
///
/// The bytes belong to the caller and must stay in place, unchanged, while the reader is in use. The caller guarantees
/// this with `unsafe` when it creates a reader; reading is then safe.
@safe public struct ByteReader {
    /// The bytes.
    public let bytes: UnsafeRawBufferPointer
    /// Byte order of numbers.
    public let byteOrder: ByteOrder

    /// Byte order of numbers.
    public enum ByteOrder: Hashable, Sendable {
        /// Lowest byte first: "II" in a TIFF header.
        case littleEndian
        /// Highest byte first: "MM" in a TIFF header.
        case bigEndian
    }

    /// Creates a reader of `bytes`.
    public init(_ bytes: UnsafeRawBufferPointer, _ byteOrder: ByteOrder) {
        unsafe self.bytes = unsafe bytes
        self.byteOrder = byteOrder
    }

    /// Number of bytes.
    public var count: Int { unsafe bytes.count }

    /// Whether `length` bytes from `offset` on lie within the bytes. Accepts any numbers.
    public func contains(offset: Int, length: Int) -> Bool {
        unsafe offset >= 0 && length >= 0 && offset <= bytes.count && length <= bytes.count - offset
    }

    /// Whether a range lies within the bytes.
    public func contains(_ range: Range<Int>) -> Bool {
        unsafe range.lowerBound >= 0 && range.upperBound <= bytes.count
    }

    /// The byte at `offset`.
    public func uint8(_ offset: Int) -> UInt8? { unsafe contains(offset: offset, length: 1) ? bytes[offset] : nil }

    /// The 16-bit number at `offset`.
    public func uint16(_ offset: Int) -> UInt16? {
        guard contains(offset: offset, length: 2) else { return nil }
        return unsafe ordered(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// The 32-bit number at `offset`.
    public func uint32(_ offset: Int) -> UInt32? {
        guard contains(offset: offset, length: 4) else { return nil }
        return unsafe ordered(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// The 64-bit number at `offset`.
    public func uint64(_ offset: Int) -> UInt64? {
        guard contains(offset: offset, length: 8) else { return nil }
        return unsafe ordered(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The 16-bit number at `offset`, as an `Int` for counts.
    public func count16(_ offset: Int) -> Int? { uint16(offset).map { Int($0) } }

    /// The 32-bit number at `offset`, as an `Int` for offsets and lengths.
    public func offset32(_ offset: Int) -> Int? { uint32(offset).map { Int($0) } }

    /// A copy of a range of the bytes.
    public func array(_ range: Range<Int>) -> [UInt8]? { unsafe slice(range).map { unsafe [UInt8]($0) } }

    /// A copy of `length` bytes from `offset` on; nil for any other range.
    public func array(offset: Int, length: Int) -> [UInt8]? {
        contains(offset: offset, length: length) ? array(offset..<offset + length) : nil
    }

    /// A range of the bytes, as a separate buffer that begins at 0.
    public func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer? {
        unsafe contains(range) ? UnsafeRawBufferPointer(rebasing: bytes[range]) : nil
    }

    /// Whether the bytes from `offset` on equal `text`.
    public func starts(with text: StaticString, at offset: Int = 0) -> Bool {
        guard contains(offset: offset, length: text.utf8CodeUnitCount) else { return false }
        return text.withUTF8Buffer { unsafe zip($0, bytes[offset...]).allSatisfy { $0 == $1 } }
    }

    private func ordered<Number: FixedWidthInteger>(_ loaded: Number) -> Number {
        switch byteOrder {
        case .littleEndian: Number(littleEndian: loaded)
        case .bigEndian: Number(bigEndian: loaded)
        }
    }
}
