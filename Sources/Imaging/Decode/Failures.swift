/// Why LibRaw would not identify a file.
func identifyFailure(_ status: LibRawStatus, bytes: UnsafeRawBufferPointer) -> DecodeError {
    switch status {
    case .outOfMemory: .outOfMemory
    case .tooBig: DecodeError(.tooLarge, "The file's header asks for more memory than is allowed.")
    case .damaged: .contradiction
    default: unidentified(bytes)
    }
}

func unpackFailure(_ status: LibRawStatus) -> DecodeError {
    switch status {
    case .outOfMemory: .outOfMemory
    case .tooBig: DecodeError(.tooLarge, "The picture takes more memory than is allowed.")
    case .ended: .corrupt("The file ends before its samples do.")
    case .unsupported: .unsupported("This camera's way of compressing samples is not known.")
    default: .corrupt("The samples in the file are damaged.")
    }
}

/// Tells apart what is no RAW, what is one but damaged, and what comes from a camera LibRaw does not know.
private func unidentified(_ bytes: UnsafeRawBufferPointer) -> DecodeError {
    if bytes.isEmpty { return .corrupt("The file is empty.") }
    if let kind = foreignKind(of: bytes) { return .notRaw(kind) }
    if let heap = CIFFFile(bytes) { return heap.isWhole ? .unknownCamera : .cut }
    let reader = ByteReader(bytes: bytes, littleEndian: false)
    if reader.starts(with: "FUJIFILMCCD-RAW") || reader.starts(with: "crx ", at: 8) {
        return containerIsWhole(bytes) ? .unknownCamera : .cut
    }
    if reader.starts(with: "FOVb") { return .unknownCamera }
    if reader.starts(with: "\u{0}MRM") { return .corrupt("The file's header is damaged.") }
    if let tiff = TIFFFile(bytes) { return unidentified(tiff) }
    if reader.starts(with: "II") || reader.starts(with: "MM") { return .corrupt("The file's header is damaged.") }
    return DecodeError(.notRaw, "The file is not a camera RAW of any kind that is known.")
}

private func unidentified(_ tiff: TIFFFile) -> DecodeError {
    guard !tiff.directories.isEmpty else { return .corrupt("The file's header is damaged.") }
    if tiff.isOrdinaryPicture { return .notRaw("an ordinary TIFF picture") }
    guard tiff.isWhole else { return .cut }
    let reader = tiff.reader
    let chunks = tiff.directories.flatMap { $0.chunks ?? [] }
    guard chunks.allSatisfy({ reader.has($0.lowerBound, $0.count) }) else { return .cut }
    guard !chunks.isEmpty else { return .corrupt("The file's header does not say where the samples are.") }
    return tiff.hasSensorSamples ? .unknownCamera : .notRaw("an ordinary TIFF picture")
}

extension DecodeError {
    static func notRaw(_ kind: String) -> DecodeError {
        DecodeError(.notRaw, "The file is \(kind), not a camera RAW.")
    }

    static let cut = DecodeError.corrupt("The file ends before its samples do.")

    static let contradiction = DecodeError.corrupt("The file's header contradicts itself.")

    static let hole = DecodeError.corrupt("A part of the picture was never written: its samples are all zero.")

    static let otherSamples = DecodeError.corrupt("The samples are not those the camera wrote.")

    static let unknownCamera = DecodeError.unsupported("LibRaw does not know this camera or its way of compressing.")
}
