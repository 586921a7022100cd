internal import PictureFormat

/// The kind of a non-RAW file by its first bytes; nil if unknown.
func foreignKind(of bytes: UnsafeRawBufferPointer) -> String? {
    unsafe FileContent.foreignKind(of: Array(bytes.prefix(16)), sizeBytes: bytes.count)
}
