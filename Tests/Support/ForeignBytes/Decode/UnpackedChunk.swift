#if DEBUG
    @testable import Decode
    import DecodeKernels
    import Pixels

    /// Unpacks bytes as the samples of a whole sensor.
    ///
    /// - Parameter start: offset of the samples.
    func unpackSamples(
        _ coding: StoredSamples.Coding, _ memory: UnsafeRawBufferPointer, from start: Int, width: Int, height: Int
    ) {
        guard start < memory.count, width > 0, height > 0 else { return }
        let plane = Plane<UInt16>(width: width, height: height)
        var worker = ChunkWorker(coding, file: memory, area: SampleArea(plane))
        let slice = PlaneSlice(x: 0, y: 0, width: width, height: height)
        _ = worker.unpack([StoredSamples.Chunk(bytes: start..<memory.count, slices: [slice])])
        // The worker writes to its memory.
        withExtendedLifetime(plane) {}
    }
#endif
