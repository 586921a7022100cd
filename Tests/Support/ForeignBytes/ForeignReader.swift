/// Reads bytes that a camera, another program, another machine or a person wrote, as the product does.
public protocol ForeignReader: Sendable {
    /// The name of its folder of seeds, and how `rawmill-fuzz` is asked for it.
    var name: String { get }

    /// Reads all that can be read. It returns or throws for any bytes; a trap, a hang or a sanitizer's report is a finding.
    func read(_ bytes: [UInt8]) throws
}

/// Every reader there is.
public enum ForeignReaders {
    /// In the order of their names.
    public static let all: [any ForeignReader] = (open + closed).sorted { $0.name < $1.name }

    /// Readers of what modules offer to all.
    private static let open: [any ForeignReader] = [
        JPEGSegments(), JPEGPicture(), PhotoFiles(), XMPPackets(), CubeFiles(), TopicRecords(), SettingsFiles(),
        HTTPRequests(), LensTables(), CameraProfiles(), LookFiles(), LookImports(), HaldPictures(), PNGPictures(),
        Selections(), JSONDocuments(),
    ]

    #if DEBUG
        /// Readers inside a module, which only a debug build shows to tests.
        private static let closed: [any ForeignReader] = [
            TIFFDirectories(), DNGPictures(), OpcodeLists(), LosslessJPEGScans(), CR2Pictures(), CIFFHeaps(),
            OtherContainers(), CorrectedPictures(), SonyLenses(),
            NikonStreams(), PentaxStreams(), OlympusStreams(), GroupedSamples(), SonyBlocks(), PlainSamples(),
            CRXPictures(), FujifilmStrips(),
            RequestFields(),
        ]
    #else
        private static let closed: [any ForeignReader] = []
    #endif

    /// The reader of that name.
    public static func named(_ name: String) -> (any ForeignReader)? { all.first { $0.name == name } }
}

/// The bytes in memory that ends with them, so that a sanitizer sees the first byte read beyond.
func withExactMemory<Result>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result
) rethrows -> Result {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(memory))
}
