import TIFF

extension RowPairCoding {
    private static let codesOffset = 14
    /// Number of bits with which LibRaw looks up codes.
    private static let maxLength = 12

    /// A PEF's compression according to its maker note, from the table at `offset` (tag 0x220): the number of codes,
    /// each code as the first of 12 bits, and their lengths. A code's index is the number of bits of the difference
    /// (dcraw, D. Coffin, `pentax_load_raw`). Nil unless the table is a complete code in order of length; no camera
    /// writes others, and LibRaw decodes them.
    init?(pentax reader: ByteReader, at offset: Int, bits: Int, height: Int) {
        guard (10...14).contains(bits), let stated = reader.count16(offset) else { return nil }
        let count = (stated + 12) & 15
        let lengths = offset + Self.codesOffset + 2 * count
        var codes: [(start: Int, length: Int, category: UInt8)] = []
        for index in 0..<count {
            guard let start = reader.count16(offset + Self.codesOffset + 2 * index),
                let length = reader.uint8(lengths + index), (1...Self.maxLength).contains(Int(length))
            else { return nil }
            codes.append((start, Int(length), UInt8(index)))
        }
        codes.sort { $0.start < $1.start }
        var tree = [UInt8](repeating: 0, count: 16)
        var (end, longest) = (0, 1)
        for code in codes {
            guard code.start == end, code.length >= longest else { return nil }
            end += 1 << (Self.maxLength - code.length)
            longest = code.length
            tree[code.length - 1] += 1
            tree.append(code.category)
        }
        guard end == 1 << Self.maxLength else { return nil }
        trees = .pentax(tree)
        split = height
        start = .zero
        limit = 1 << bits
        curve = nil
    }
}
