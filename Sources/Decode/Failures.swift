/// Why LibRaw would not identify a file.
func identifyFailure(_ status: LibRawStatus, bytes: UnsafeRawBufferPointer) -> DecodeError {
    switch status {
    case .outOfMemory: .outOfMemory
    case .tooBig: DecodeError(.tooLarge, "The file's header asks for more memory than is allowed.")
    default: unidentified(bytes)
    }
}

func unpackFailure(_ status: LibRawStatus) -> DecodeError {
    switch status {
    case .outOfMemory: .outOfMemory
    case .tooBig: DecodeError(.tooLarge, "The picture takes more memory than is allowed.")
    case .ended: .corrupt("The file ends before its samples do.")
    case .unsupported: .unsupported("LibRaw cannot read this camera's samples.")
    default: .corrupt("The samples in the file are damaged.")
    }
}

func unidentified(_ bytes: UnsafeRawBufferPointer) -> DecodeError {
    guard !bytes.isEmpty else { return .corrupt("The file is empty.") }
    return DecodeError(.notRaw, "The file is not a camera RAW.")
}
