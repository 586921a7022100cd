import TIFF

#if DEBUG
    @testable import Decode
    import Metadata
    import PictureFormat
    import Pixels

    /// Canon's CR2 without LibRaw: directory, slices, and samples of small pictures.
    struct CR2Pictures: ForeignReader {
        let name = "cr2"
        private static let maxSamples = 1 << 18

        func read(_ bytes: [UInt8]) throws {
            try withExactMemory(bytes) { memory in
                guard let file = TIFFFile(memory) else { return }
                for directory in file.directories where directory.compression == TIFFCompression.oldJPEG {
                    try read(directory, file.reader, memory)
                }
            }
        }

        /// The directory does not state the sensor's size, which LibRaw derives from the JPEG.
        private func read(
            _ directory: TIFFDirectory, _ reader: ByteReader, _ memory: UnsafeRawBufferPointer
        ) throws {
            guard let chunk = directory.chunks?.first, let jpeg = reader.slice(chunk) else { return }
            let header = try LosslessJPEGHeader(jpeg)
            let size = PixelSize(width: header.width * header.components, height: header.height)
            guard size.pixelCount <= Self.maxSamples, let stored = try StoredSamples(cr2: directory, size: size)
            else { return }
            _ = try SampleUnpacker(stored: stored, bytes: memory).unpack(threads: 1)
        }
    }
#endif
