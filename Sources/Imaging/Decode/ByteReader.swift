/// Numbers at places of a file; nil beyond its end.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    var littleEndian: Bool

    var count: Int { bytes.count }

    func has(_ offset: Int, _ length: Int) -> Bool {
        offset >= 0 && length >= 0 && offset <= bytes.count && length <= bytes.count - offset
    }

    func byte(_ offset: Int) -> UInt8? { has(offset, 1) ? bytes[offset] : nil }

    func word(_ offset: Int) -> Int? {
        guard has(offset, 2) else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return Int(littleEndian ? UInt16(littleEndian: value) : UInt16(bigEndian: value))
    }

    func long(_ offset: Int) -> Int? {
        guard has(offset, 4) else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return Int(littleEndian ? UInt32(littleEndian: value) : UInt32(bigEndian: value))
    }

    func quad(_ offset: Int) -> UInt64? {
        guard has(offset, 8) else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return littleEndian ? UInt64(littleEndian: value) : UInt64(bigEndian: value)
    }

    func starts(with text: StaticString, at offset: Int = 0) -> Bool {
        guard has(offset, text.utf8CodeUnitCount) else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[offset + $0] == text.utf8Start[$0] }
    }
}
