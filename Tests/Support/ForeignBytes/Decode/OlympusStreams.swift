#if DEBUG
    @testable import Decode
    import PictureFormat

    /// Olympus's compressed samples. The first three bytes replace LibRaw's size.
    struct OlympusStreams: ForeignReader {
        let name = "olympus"
        private static let headerBytes = 3

        func read(_ bytes: [UInt8]) {
            withExactMemory(bytes) { memory in
                guard memory.count > Self.headerBytes else { return }
                let width = 2 * (Int(memory[0]) + 1)
                let height = Int(memory[2]) + 1
                let visible = PixelSize(
                    width: max(2, width - 2 * Int(memory[1] & 15)), height: max(1, height - Int(memory[1] >> 4)))
                unpackSamples(
                    .olympus(visible: visible), memory, from: Self.headerBytes, width: width, height: height)
            }
        }
    }
#endif
