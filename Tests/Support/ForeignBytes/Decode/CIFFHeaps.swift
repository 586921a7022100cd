#if DEBUG
    @testable import Decode

    /// The heaps of Canon's CRW.
    struct CIFFHeaps: ForeignReader {
        let name = "ciff"

        func read(_ bytes: [UInt8]) {
            withExactMemory(bytes) { memory in
                guard let file = CIFFFile(memory) else { return }
                _ = (file.pictureSize, file.isWhole)
            }
        }
    }
#endif
