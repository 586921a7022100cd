#if DEBUG
    @testable import Decode
    import DecodeKernels
    import Pixels

    /// Sony's blocks of sixteen samples. The first byte is the width, in pairs of blocks.
    struct SonyBlocks: ForeignReader {
        let name = "sony-blocks"

        func read(_ bytes: [UInt8]) {
            withExactMemory(bytes) { memory in
                guard let first = memory.first else { return }
                let width = 32 * (1 + Int(first & 15))
                // One row more than there are samples for must be refused.
                let height = (memory.count - 1) / width + Int(first >> 7)
                guard height > 0 else { return }
                let curve = (0..<2048).map { UInt16($0 * 8) }
                let plane = Plane<UInt16>(width: width, height: height)
                var worker = ChunkWorker(.sonyBlocks(curve: curve), file: memory, area: SampleArea(plane))
                let slice = PlaneSlice(x: 0, y: 0, width: width, height: height)
                _ = worker.unpack([StoredSamples.Chunk(bytes: 1..<memory.count, slices: [slice])])
                // The worker fills its memory.
                withExtendedLifetime(plane) {}
            }
        }
    }
#endif
