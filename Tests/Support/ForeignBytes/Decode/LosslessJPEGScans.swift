#if DEBUG
    @testable import Decode
    import DecodeKernels
    import Pixels

    /// Lossless JPEGs, a single one and several in step.
    struct LosslessJPEGScans: ForeignReader {
        let name = "lossless-jpeg"
        private static let maxSamples = 1 << 18

        func read(_ bytes: [UInt8]) throws {
            try withExactMemory(bytes) { memory in
                let header = try LosslessJPEGHeader(memory)
                let (width, height) = (header.width * header.components, header.height)
                guard width * height <= Self.maxSamples else { return }
                for count in [1, 2, ChunkWorker.maxChunks] {
                    let plane = Plane<UInt16>(width: width, height: count * height)
                    var worker = ChunkWorker(
                        .losslessJPEG(sixteenHasBits: count == 1), file: memory, area: SampleArea(plane))
                    let chunks = (0..<count).map { index in
                        let slice = PlaneSlice(x: 0, y: index * height, width: width, height: height)
                        return StoredSamples.Chunk(bytes: 0..<memory.count, slices: [slice])
                    }
                    _ = worker.unpack(chunks[...])
                }
            }
        }
    }
#endif
