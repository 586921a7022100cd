import TIFF

/// Opcodes from a DNG field. Numbers are always big-endian.
struct OpcodeList {
    /// Cameras write up to a dozen opcodes.
    private static let maxCount = 64
    /// Number, version, flags and the parameters' length, before the parameters.
    private static let headerBytes = 16

    let opcodes: [Opcode]

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        let reader = unsafe ByteReader(bytes, .bigEndian)
        guard let count = reader.offset32(0), count <= Self.maxCount else { throw .contradiction }
        var opcodes: [Opcode] = []
        var offset = 4
        for _ in 0..<count {
            guard let number = reader.uint32(offset), let flags = reader.uint32(offset + 8),
                let length = reader.offset32(offset + 12),
                let parameters = unsafe reader.slice(from: offset + Self.headerBytes, length: length)
            else { throw .contradiction }
            let read = unsafe OpcodeParameters(parameters)
            opcodes.append(Opcode(operation: read.operation(number), isOptional: flags & 1 == 1))
            offset += Self.headerBytes + length
        }
        self.opcodes = opcodes
    }
}

extension ByteReader {
    fileprivate func slice(from offset: Int, length: Int) -> UnsafeRawBufferPointer? {
        contains(offset: offset, length: length) ? unsafe slice(offset..<offset + length) : nil
    }
}
