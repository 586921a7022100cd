import TIFF

#if DEBUG
    @testable import Decode
    import Metadata
    import PictureFormat
    import Pixels

    /// The header of a CR3's samples, and the samples. The first four bytes replace LibRaw's facts.
    struct CRXPictures: ForeignReader {
        let name = "crx"
        private static let factBytes = 4

        func read(_ bytes: [UInt8]) throws {
            try withExactMemory(bytes) { memory in
                guard memory.count > Self.factBytes else { return }
                let levels = Int(memory[0] & 3)
                let size = PixelSize(width: 44 + 2 * Int(memory[1]), height: 44 + 2 * Int(memory[2]))
                let tile = PixelSize(width: 44 + 2 * Int(memory[3]), height: size.height)
                let tileCount = (size.width + tile.width - 1) / tile.width
                let entryBytes = memory[0] & 64 == 0 ? 12 : 20
                let headerBytes = tileCount * (12 + 4 * (12 + entryBytes * (1 + 3 * levels)))
                let crx = CRXFacts(
                    version: memory[0] & 32 == 0 ? 0x100 : 0x200, isRead: true, tileSize: tile,
                    bits: memory[0] & 4 == 0 ? 14 : 12, planeCount: 4,
                    layout: Int(memory[0] >> 3 & 3), coding: 0, levels: levels, headerBytes: headerBytes)
                guard
                    let stored = try StoredSamples(
                        cr3: crx, ByteReader(memory, .bigEndian), at: Self.factBytes, size: size)
                else { return }
                _ = try SampleUnpacker(stored: stored, bytes: memory).unpack(threads: 1)
            }
        }
    }
#endif
