import TIFF

#if DEBUG
    @testable import Decode
    import Metadata

    /// The directories of TIFF files, and everything read from them before the camera is known.
    struct TIFFDirectories: ForeignReader {
        let name = "tiff"

        func read(_ bytes: [UInt8]) {
            withExactMemory(bytes) { memory in
                guard let file = TIFFFile(memory) else { return }
                _ = (file.isOrdinaryPicture, file.isShattered, file.hasSensorSamples, file.isCR2)
                for directory in file.directories { readFields(directory, file.reader) }
                var search = PreviewSearch()
                search.add(file)
                _ = search.result
            }
        }

        private func readFields(_ directory: TIFFDirectory, _ reader: ByteReader) {
            _ = (directory.chunks, directory.compression, directory.isSensorPicture)
            // The entries precede the offset of the next directory.
            for index in 1...64 {
                guard let code = reader.uint16(directory.nextOffset - 12 * index) else { return }
                let tag = TIFFTag(rawValue: code)
                _ = (directory.integers(tag), directory.reals(tag), directory.text(tag))
            }
        }
    }
#endif
