import Encode

/// A camera's preview as a picture.
struct JPEGPicture: ForeignReader {
    let name = "jpeg-picture"

    func read(_ bytes: [UInt8]) { _ = PreviewReader.read(bytes) }
}
