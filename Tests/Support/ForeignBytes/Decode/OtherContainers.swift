#if DEBUG
    @testable import Decode

    /// Containers other than TIFF and CIFF: boxes, Fujifilm's, and files that are not RAWs.
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
