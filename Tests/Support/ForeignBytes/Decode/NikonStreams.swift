import TIFF

#if DEBUG
    @testable import Decode
    import DecodeKernels
    import Metadata

    /// The compression in a Nikon's maker note, and the samples. The first four bytes replace LibRaw's facts.
    struct NikonStreams: ForeignReader {
        let name = "nikon"
        private static let headerBytes = 4
        /// From the note's table to the samples.
        private static let losslessTableBytes = 10
        private static let lossyTableBytes = 564

        func read(_ bytes: [UInt8]) {
            withExactMemory(bytes) { memory in
                guard memory.count > Self.headerBytes + 1 else { return }
                let (flags, width, height) = (memory[0], 2 * (Int(memory[1]) + 1), Int(memory[2]) + 1)
                let reader = ByteReader(memory, flags & 2 == 0 ? .littleEndian : .bigEndian)
                let slope = 1 + Int(memory[3] & 7)
                let curve = (0..<RowPairSamples.curveCount).map { UInt16(min($0 * slope, 0xffff)) }
                guard
                    let coding = RowPairCoding(
                        nikon: reader, at: Self.headerBytes, bits: flags & 1 == 0 ? 12 : 14, curve: curve,
                        height: height)
                else { return }
                let isLossless = memory[Self.headerBytes] == 0x46
                let start = Self.headerBytes + (isLossless ? Self.losslessTableBytes : Self.lossyTableBytes)
                unpackSamples(.rowPairs(coding), memory, from: start, width: width, height: height)
            }
        }
    }
#endif
