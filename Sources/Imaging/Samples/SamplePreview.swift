internal import PictureFormat

/// The preview embedded in a sample.
public enum SamplePreview: Hashable, Sendable, CaseIterable {
    case none
    case good
    case cutOff
    /// The JPEG, with a damaged header that decoders read partly.
    case damagedHeader

    func picture(of scene: SampleScene) -> DNGWriter.Preview? {
        guard self != .none else { return nil }
        let jpeg = ThumbnailJPEG(scene, blocks: PixelSize(width: 60, height: 40))
        var bytes = jpeg.bytes
        switch self {
        case .none, .good: break
        case .cutOff: bytes.removeLast(bytes.count / 2)
        case .damagedHeader:
            // The number of components in the scan's header.
            bytes[jpeg.scanHeader + 4] = 9
        }
        return DNGWriter.Preview(jpeg: bytes, size: jpeg.size)
    }
}
