import TIFF
import PictureFormat

/// One frame of a file, opened in LibRaw, with the file's TIFF directories where it has them.
///
/// `@safe`: the owner of the bytes, `RawFile`'s caller, keeps them in place while frames are in use.
@safe struct Frame {
    let raw: LibRawFile
    /// What LibRaw was told instead of what the file says.
    let replacements: [ReplacedByte]
    /// All fields that LibRaw met.
    let fields: [LibRawField]
    /// The whole file. Must stay in place while this value is in use.
    let bytes: UnsafeRawBufferPointer
    let tiff: TIFFFile?
    let dng: DNGFacts?
    /// Which frame of the file.
    let index: Int
    /// Frames in the whole file.
    let count: Int

    /// - Throws: `notRaw`, `unsupportedCamera`, `corrupt`, `tooLarge` or `outOfMemory`.
    init(_ index: Int, of bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws(DecodeError) {
        var raw = try LibRawFile()
        tiff = unsafe TIFFFile(bytes)
        var replacements = tiff?.replacedCodings ?? []
        var (status, fields) = unsafe raw.open(bytes, frame: index, limits: limits, replacing: replacements)
        if status == .success, let replacement = unsafe raw.replacedLoss(bytes) {
            let told = try LibRawFile()
            let opened = unsafe told.open(bytes, frame: index, limits: limits, replacing: [replacement])
            // Samples may begin by chance as such a header does.
            if opened.0 == .success, told.isCompressedRAF {
                raw = told
                replacements = [replacement]
                (status, fields) = opened
            }
        }
        self.raw = raw
        self.replacements = replacements
        guard status == .success else { throw unsafe status.identifyFailure(of: bytes) }
        count = raw.facts.frameCount
        guard (0..<count).contains(index) else { throw .corrupt("The file has no picture number \(index + 1).") }
        // LibRaw takes some ordinary pictures for RAWs.
        if let tiff, tiff.isOrdinaryPicture { throw .notRaw("an ordinary TIFF picture") }
        guard tiff?.isShattered != true else { throw .contradiction }
        dng = try tiff.flatMap { tiff throws(DecodeError) in try DNGFacts(tiff, frame: index) }
        self.index = index
        self.fields = fields
        unsafe self.bytes = unsafe bytes
    }

    /// Decompresses the samples by LibRaw, whose success is not believed: where it is not beyond doubt that all samples of
    /// the picture were written, they are decompressed once more, in memory that had other contents before.
    ///
    /// - Throws: any `DecodeError` but `notRaw`.
    func unpack(limits: DecodeLimits) throws(DecodeError) {
        // LibRaw would take the codes for those without loss, and may end the process.
        guard dng != nil || replacements.isEmpty else {
            throw .unsupported("It is compressed with loss, which LibRaw \(RawLibrary.version) does not read.")
        }
        let (status, isAccounted) = raw.unpack()
        do throws(DecodeError) {
            try raw.check(status)
        } catch {
            throw dng?.missingCoding ?? error
        }
        guard !isAccounted else { return }
        let second = try LibRawFile(isSecondReading: true)
        let (opening, _) = unsafe second.open(bytes, frame: index, limits: limits)
        guard opening == .success else { throw .unwritten }
        try second.check(second.unpack().status)
        guard raw.hasSameSamples(as: second) else { throw .unwritten }
    }

    /// The whole sensor. Unpacking can change it: some decoders drop the margins.
    var sensorSize: PixelSize { raw.facts.sensorSize }

    /// The TIFF directory from which LibRaw reads the samples.
    var rawDirectory: TIFFDirectory? {
        let offset = raw.facts.dataOffset
        return tiff?.directories.first { directory in
            [.stripOffsets, .tileOffsets].contains { directory.integers($0)?.first == offset }
        }
    }

    /// Checks that the file holds all it speaks of: where it cannot read, LibRaw leaves the memory as it was.
    ///
    /// - Throws: `corrupt`.
    func checkComplete() throws(DecodeError) {
        let reader = unsafe ByteReader(bytes, .littleEndian)
        if let chunks = (dng?.raw ?? rawDirectory)?.chunks, !chunks.allSatisfy(reader.contains) { throw .cut }
        if let heap = unsafe CIFFFile(bytes), !heap.isWhole { throw .cut }
        guard unsafe containerIsWhole(bytes) else { throw .cut }
        if let crx = raw.facts.crx {
            let grid = try crx.grid(of: sensorSize)
            _ = try unsafe CRXHeader(crx, ByteReader(bytes, .bigEndian), at: raw.facts.dataOffset, grid: grid)
        }
    }

    /// See `RawFile.cameraNames`.
    var cameraNames: [String] {
        func joined(_ make: LibRawText, _ model: LibRawText) -> [String] {
            let (make, model) = (raw.text(make), raw.text(model))
            return model.isEmpty ? [] : ["\(make) \(model)", model]
        }
        let unique = dng?.main.text(.uniqueCameraModel).map { String(decoding: $0.prefix(256), as: UTF8.self) }
        let names = [unique].compactMap(\.self) + joined(.make, .model) + joined(.normalizedMake, .normalizedModel)
        return names.filter { !$0.isEmpty }
    }
}
