import Metadata

/// The segments before a JPEG's image data, with EXIF and XMP.
struct JPEGSegments: ForeignReader {
    let name = "jpeg-segments"

    func read(_ bytes: [UInt8]) throws {
        _ = JPEGMetadata.frameHeader(in: bytes)
        _ = CaptureStamp(jpeg: bytes)
        let fields = ExifField.read(fromJPEG: bytes)
        let source = SourceMetadata(make: "A", model: "B", exif: fields)
        _ = RenditionExif(source: source, width: 3, height: 2, isSRGB: true, software: "C").payload()
        let packet = try JPEGMetadata.xmpPacket(in: bytes)
        let shorter = JPEGMetadata.replacingXMPPacket(in: bytes, with: packet.dropLast(1) + [])
        precondition(shorter != nil, "a packet that can be read can be replaced by a shorter one")
    }
}
