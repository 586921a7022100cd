import Metadata
import PictureFormat

/// Size, XMP, pixel range and gain map of a photo in any format.
struct PhotoFiles: ForeignReader {
    let name = "photo"

    func read(_ bytes: [UInt8]) throws {
        let photo = PhotoBytes(bytes)
        if let size = PhotoMetadata.size(of: photo) {
            precondition(size.width > 0 && size.height > 0, "a photo has pixels")
        }
        if let pixels = PhotoMetadata.pixels(of: photo, byteCount: UInt64(bytes.count)) {
            precondition(pixels.upperBound <= UInt64(bytes.count), "pixels are in the file")
        }
        let packet = try PhotoMetadata.xmpPacket(in: photo)
        precondition(packet.count <= bytes.count, "a packet is in the file")
        _ = MultiPictureIndex.mapBytes(in: bytes)
        _ = JPEGMetadata.replacingXMPPacket(in: bytes, with: packet + [0x20])
    }
}
