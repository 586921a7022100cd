import TIFF
import PictureFormat

/// One frame of a file opened in LibRaw, with the file's TIFF directories if any.
///
/// `@safe`: the caller of `RawFile` keeps the bytes in place while frames are in use.
@safe struct Frame {
    let raw: LibRawFile
    /// Bytes that LibRaw reads differently from the file.
    let replacements: [ReplacedByte]
    let fields: [LibRawField]
    /// The whole file, which stays in place while this value is in use.
    let bytes: UnsafeRawBufferPointer
    let tiff: TIFFFile?
    let dng: DNGFacts?
    let index: Int
    let count: Int

    init(_ index: Int, of bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws(DecodeError) {
        var raw = try LibRawFile()
        tiff = unsafe TIFFFile(bytes)
        var replacements = tiff?.replacedCodings ?? []
        var (status, fields) = unsafe raw.open(bytes, frame: index, limits: limits, replacing: replacements)
        if status == .success, let replacement = unsafe raw.replacedLoss(bytes) {
            let told = try LibRawFile()
            let opened = unsafe told.open(bytes, frame: index, limits: limits, replacing: [replacement])
            // Uncompressed samples may begin like such a header by chance.
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
        // LibRaw accepts some ordinary pictures as RAWs.
        if let tiff, tiff.isOrdinaryPicture { throw .notRaw("an ordinary TIFF picture") }
        guard tiff?.isShattered != true else { throw .contradiction }
        dng = try tiff.flatMap { tiff throws(DecodeError) in try DNGFacts(tiff, frame: index) }
        self.index = index
        self.fields = fields
        unsafe self.bytes = unsafe bytes
    }

    /// Decompresses the samples with LibRaw and verifies the result. If LibRaw may have left samples unwritten,
    /// decompresses again into memory with other contents and compares.
    func unpack(limits: DecodeLimits) throws(DecodeError) {
        // LibRaw would decode lossy data as lossless, and may crash.
        guard dng != nil || replacements.isEmpty else {
            throw .unsupported("LibRaw \(RawLibrary.version) does not read this lossy compression.")
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

    /// The whole sensor. Unpacking may change it, because some decoders drop the margins.
    var sensorSize: PixelSize { raw.facts.sensorSize }

    var rawDirectory: TIFFDirectory? {
        let offset = raw.facts.dataOffset
        return tiff?.directories.first { directory in
            [.stripOffsets, .tileOffsets].contains { directory.integers($0)?.first == offset }
        }
    }

    /// Checks that the file is complete, because LibRaw leaves memory uninitialized where bytes are missing.
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
