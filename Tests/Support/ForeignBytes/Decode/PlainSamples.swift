#if DEBUG
    @testable import Decode

    /// Uncompressed samples. The first three bytes choose their bits and the row length.
    struct PlainSamples: ForeignReader {
        let name = "plain-samples"
        private static let headerBytes = 3

        func read(_ bytes: [UInt8]) {
            withExactMemory(bytes) { memory in
                guard memory.count > Self.headerBytes else { return }
                let (flags, width) = (memory[0], 8 * (1 + Int(memory[1])))
                let bits = 1 + Int(flags & 15)
                let isLittleEndian = flags & 16 != 0
                let rowBytes = width * bits / 8
                // One row more than the samples suffice for must be refused.
                let height = (memory.count - Self.headerBytes) / rowBytes + Int(memory[2] & 1)
                unpackSamples(
                    .plain(bits: bits, isLittleEndian: isLittleEndian), memory, from: Self.headerBytes, width: width,
                    height: height)
            }
        }
    }
#endif
