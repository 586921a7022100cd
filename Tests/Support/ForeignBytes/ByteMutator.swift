import SeededRandom

/// Random and malicious changes of bytes: bits, numbers at the edges of their ranges, missing, doubled or moved pieces.
/// The same seed makes the same changes.
public struct ByteMutator {
    private var random: SeededGenerator
    private static let edges: [UInt64] = [
        0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff, .max,
    ]

    /// - Parameter seed: decides every change.
    public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A copy with one to six changes.
    public mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let offset = Int.random(in: 0..<bytes.count, using: &random)
        let length = min(bytes.count - offset, Int.random(in: 1...32, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[offset] = UInt8.random(in: 0...255, using: &random)
        case 2: writeEdge(into: &bytes, at: offset)
        case 3: bytes.removeSubrange(offset..<offset + length)
        case 4: bytes.insert(contentsOf: bytes[offset..<offset + length], at: offset)
        case 5: bytes.removeLast(bytes.count - offset)
        default:
            let from = Int.random(in: 0...bytes.count - length, using: &random)
            bytes.replaceSubrange(offset..<offset + length, with: Array(bytes[from..<from + length]))
        }
    }

    /// A number of one to eight bytes, in either order.
    private mutating func writeEdge(into bytes: inout [UInt8], at offset: Int) {
        let value = Self.edges.randomElement(using: &random) ?? 0
        let width = [1, 2, 4, 8].randomElement(using: &random) ?? 1
        let isBigEndian = Bool.random(using: &random)
        for index in 0..<min(width, bytes.count - offset) {
            let shift = UInt64(isBigEndian ? width - 1 - index : index) * 8
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }
}
