#if DEBUG
    @testable import Decode
    import DecodeKernels
    import PictureFormat
    import Pixels

    /// The facts of a DNG's pictures, and the samples of small ones.
    struct DNGPictures: ForeignReader {
        let name = "dng"
        private static let maxSamples = 1 << 20

        func read(_ bytes: [UInt8]) throws {
            try withExactMemory(bytes) { memory in
                guard let file = TIFFFile(memory) else { return }
                guard let first = try DNGFacts(file, frame: 0) else { return }
                try read(first, memory)
                if let second = try? DNGFacts(file, frame: 1) { try read(second, memory) }
            }
        }

        private func read(_ dng: DNGFacts, _ memory: UnsafeRawBufferPointer) throws {
            _ = (dng.version, dng.white, dng.matrices, dng.whiteBalance, dng.pixelAspect, dng.baselineExposure)
            _ = (dng.orientation, dng.linearization, dng.hasDigest)
            guard let size = dng.size else { return }
            _ = (dng.black(in: size), dng.crop(in: size))
            guard size.pixelCount <= Self.maxSamples, let layout = dng.layout(in: size) else { return }
            if let numbers = try StoredNumbers(dng, layout) { try read(numbers, dng, size, memory) }
            guard
                let stored = try StoredSamples(dng, layout), stored.width * stored.height <= Self.maxSamples,
                let plane = try SampleUnpacker(stored: stored, bytes: memory).unpack(threads: 1)
            else { return }
            _ = dng.matchesDigest(plane)
            if let table = dng.linearization { _ = SampleRegion.map(plane, by: table) }
        }

        private func read(
            _ numbers: StoredNumbers, _ dng: DNGFacts, _ size: PixelSize, _ memory: UnsafeRawBufferPointer
        ) throws {
            func levels(largest: Float) -> NumberLevels? {
                NumberLevels(dng, size: size, largest: largest, baselineExposure: 0, keepsWhite: false)
            }
            if let levels = levels(largest: 0) {
                _ = try numbers.samples(memory, by: levels.scale, upTo: levels.limit, threads: 1)
            }
            let plane = try numbers.unpack(memory, threads: 1)
            _ = levels(largest: NumberScale.largest(in: plane, threads: 1))?.scale.samples(of: plane, threads: 1)
        }
    }
#endif
