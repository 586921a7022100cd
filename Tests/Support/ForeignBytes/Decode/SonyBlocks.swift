#if DEBUG
    @testable import Decode

    /// Sony's blocks of sixteen samples. The first byte is the width, in pairs of blocks.
    struct SonyBlocks: ForeignReader {
        let name = "sony-blocks"

        func read(_ bytes: [UInt8]) {
            withExactMemory(bytes) { memory in
                guard let first = memory.first else { return }
                let width = 32 * (1 + Int(first & 15))
                // One row more than the samples suffice for must be refused.
                let height = (memory.count - 1) / width + Int(first >> 7)
                let curve = (0..<2048).map { UInt16($0 * 8) }
                unpackSamples(.sonyBlocks(curve: curve), memory, from: 1, width: width, height: height)
            }
        }
    }
#endif
