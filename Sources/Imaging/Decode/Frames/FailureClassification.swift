import TIFF

extension LibRawStatus {
    func identifyFailure(of bytes: UnsafeRawBufferPointer) -> DecodeError {
        switch self {
        case .outOfMemory: .outOfMemory
        case .tooBig: DecodeError(.tooLarge, "The file's header demands more memory than allowed.")
        case .damaged: .contradiction
        default: unsafe .unidentified(bytes)
        }
    }

    var unpackFailure: DecodeError {
        switch self {
        case .outOfMemory: .outOfMemory
        case .tooBig: DecodeError(.tooLarge, "The picture needs more memory than allowed.")
        case .ended: .cut
        case .unsupported: .unsupported("This camera's compression is not supported.")
        default: .damagedSamples
        }
    }
}

extension DecodeError {
    /// Distinguishes files that are not RAWs, damaged files, and unknown cameras.
    fileprivate static func unidentified(_ bytes: UnsafeRawBufferPointer) -> DecodeError {
        if unsafe bytes.isEmpty { return .corrupt("The file is empty.") }
        if let kind = unsafe foreignKind(of: bytes) { return .notRaw(kind) }
        if let heap = unsafe CIFFFile(bytes) { return heap.isWhole ? .unknownCamera : .cut }
        let reader = unsafe ByteReader(bytes, .bigEndian)
        if reader.starts(with: "FUJIFILMCCD-RAW") || reader.starts(with: "crx ", at: 8) {
            return unsafe containerIsWhole(bytes) ? .unknownCamera : .cut
        }
        // Sigma's X3F and Minolta's MRW.
        if reader.starts(with: "FOVb") { return .unknownCamera }
        if reader.starts(with: "\u{0}MRM") { return .damagedHeader }
        if let tiff = unsafe TIFFFile(bytes) { return unidentified(tiff) }
        if reader.starts(with: "II") || reader.starts(with: "MM") { return .damagedHeader }
        return DecodeError(.notRaw, "The file is not a known kind of camera RAW.")
    }

    private static func unidentified(_ tiff: TIFFFile) -> DecodeError {
        guard !tiff.directories.isEmpty else { return .damagedHeader }
        if tiff.isOrdinaryPicture { return .notRaw("an ordinary TIFF picture") }
        guard tiff.isWhole else { return .cut }
        let chunks = tiff.directories.flatMap { $0.chunks ?? [] }
        guard chunks.allSatisfy(tiff.reader.contains) else { return .cut }
        if let dng = try? DNGFacts(tiff, frame: 0), let missing = dng.missingCoding { return missing }
        guard !chunks.isEmpty else { return .corrupt("The file's header does not locate the samples.") }
        return tiff.hasSensorSamples ? .unknownCamera : .notRaw("an ordinary TIFF picture")
    }
}
