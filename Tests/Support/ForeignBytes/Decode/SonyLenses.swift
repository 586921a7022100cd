#if DEBUG
    @testable import Decode
    import PictureFormat
    import Pixels

    /// The lens data of Sony's cameras, and the resulting sources of pixels.
    struct SonyLenses: ForeignReader {
        let name = "sony-lens"

        func read(_ bytes: [UInt8]) throws {
            withExactMemory(bytes) { memory in
                let crop = PixelRect(x: 2, y: 1, size: PixelSize(width: 170, height: 120))
                guard let warps = SonyLens(TIFFFile(memory))?.warps(crop, lit: crop) else { return }
                for channel in 0..<3 {
                    _ = SensorCorrections(warps: warps).source(
                        .init(repeating: 7), .init(repeating: 500), channel: channel)
                }
            }
        }
    }
#endif
