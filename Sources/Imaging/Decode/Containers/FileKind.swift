internal import PictureFormat

/// Kind of a file that is not a RAW, by its first bytes; nil if unknown.
func foreignKind(of bytes: UnsafeRawBufferPointer) -> String? {
    unsafe FileContent.foreignKind(of: Array(bytes.prefix(16)), sizeBytes: bytes.count)
}
