import TIFF

#if DEBUG
    @testable import Decode
    import Metadata
    import PictureFormat
    import Pixels

    /// The header of a compressed RAF's samples, and strips. The first four bytes replace LibRaw's size.
    struct FujifilmStrips: ForeignReader {
        let name = "fujifilm"
        private static let factBytes = 4
        private static let headerBytes = 16

        func read(_ bytes: [UInt8]) throws {
            try withExactMemory(bytes) { memory in
                guard memory.count > Self.factBytes else { return }
                let size = PixelSize(
                    width: 24 * (32 + Int(memory[1])), height: 6 * (1 + Int(memory[2] & 7)))
                let layout: SensorLayout =
                    memory[0] & 1 == 0
                    ? .bayer([.red, .green, .green, .blue])
                    : .xTrans((0..<36).compactMap { CFAColour(rawValue: UInt8($0 * 7 % 3)) })
                guard
                    let stored = try StoredSamples(
                        raf: ByteReader(memory, .bigEndian), at: Self.factBytes + Self.headerBytes, size: size, layout,
                        visible: PixelRect(x: 0, y: 0, size: size), isReadByLibRaw: true)
                else { return }
                _ = try SampleUnpacker(stored: stored, bytes: memory).unpack(threads: 1)
            }
        }
    }
#endif
