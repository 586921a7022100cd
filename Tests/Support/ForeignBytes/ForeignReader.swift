/// Reads untrusted bytes as the product does: from a camera, another program, another machine or a user.
public protocol ForeignReader: Sendable {
    /// Name of its folder of seeds, and its name for `rawmill-fuzz`.
    var name: String { get }

    /// Reads everything. It returns or throws for any bytes; a trap, a hang or a sanitizer's report is a finding.
    func read(_ bytes: [UInt8]) throws
}

public enum ForeignReaders {
    /// Sorted by name.
    public static let all: [any ForeignReader] = (open + closed).sorted { $0.name < $1.name }

    /// Readers of public interfaces.
    private static let open: [any ForeignReader] = [
        JPEGSegments(), JPEGPicture(), PhotoFiles(), XMPPackets(), CubeFiles(), TopicRecords(), SettingsFiles(),
        HTTPRequests(), LensTables(), CameraProfiles(), LookFiles(), LookImports(), HaldPictures(), PNGPictures(),
        Selections(), JSONDocuments(),
    ]

    #if DEBUG
        /// Readers of module internals, which tests can only use in a debug build.
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

    /// The reader with a name.
    public static func named(_ name: String) -> (any ForeignReader)? { all.first { $0.name == name } }
}

/// The bytes at the end of their memory, so that a sanitizer detects the first byte read beyond.
func withExactMemory<Result>(
    _ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result
) rethrows -> Result {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(memory))
}
