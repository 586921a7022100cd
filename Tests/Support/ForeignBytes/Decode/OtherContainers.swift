#if DEBUG
    @testable import Decode

    /// Containers that are neither TIFF nor CIFF: boxes, Fujifilm's, and what is no RAW at all.
    struct OtherContainers: ForeignReader {
        let name = "container"

        func read(_ bytes: [UInt8]) {
            withExactMemory(bytes) { memory in
                _ = containerIsWhole(memory)
                _ = foreignKind(of: memory)
            }
        }
    }
#endif
