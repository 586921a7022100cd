internal import PictureFormat

/// What a file is that is not a RAW, by its first bytes; nil where that is not known.
func foreignKind(of bytes: UnsafeRawBufferPointer) -> String? {
    unsafe FileContent.foreignKind(of: Array(bytes.prefix(16)), sizeBytes: bytes.count)
}
