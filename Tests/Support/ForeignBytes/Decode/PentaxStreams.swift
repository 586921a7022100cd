import TIFF

#if DEBUG
    @testable import Decode
    import Metadata

    /// The code in a Pentax's maker note, and samples. The first three bytes replace LibRaw's facts.
    struct PentaxStreams: ForeignReader {
        let name = "pentax"
        private static let headerBytes = 3

        func read(_ bytes: [UInt8]) {
            withExactMemory(bytes) { memory in
                guard memory.count > Self.headerBytes + 1 else { return }
                let (flags, width, height) = (memory[0], 2 * (Int(memory[1]) + 1), Int(memory[2]) + 1)
                let reader = ByteReader(memory, flags & 1 == 0 ? .littleEndian : .bigEndian)
                guard
                    let coding = RowPairCoding(
                        pentax: reader, at: Self.headerBytes, bits: flags & 2 == 0 ? 12 : 14, height: height)
                else { return }
                // After twelve to fifteen codes of three bytes each.
                let count = ((reader.count16(Self.headerBytes) ?? 0) + 12) & 15
                unpackSamples(
                    .rowPairs(coding), memory, from: Self.headerBytes + 14 + 3 * count, width: width, height: height)
            }
        }
    }
#endif
