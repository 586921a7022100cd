internal import PictureFormat

/// The camera's own small picture inside a sample.
public enum SamplePreview: Hashable, Sendable, CaseIterable {
    /// There is none.
    case none
    /// A JPEG of the scene, as cameras embed it.
    case good
    /// That JPEG, ending too early.
    case cutOff
    /// That JPEG, with a header that a decoder reads half.
    case damagedHeader

    func picture(of scene: SampleScene) -> DNGWriter.Preview? {
        guard self != .none else { return nil }
        let jpeg = ThumbnailJPEG(scene, blocks: PixelSize(width: 60, height: 40))
        var bytes = jpeg.bytes
        switch self {
        case .none, .good: break
        case .cutOff: bytes.removeLast(bytes.count / 2)
        case .damagedHeader:
            // The number of components in the header of the scan.
            bytes[jpeg.scanHeader + 4] = 9
        }
        return DNGWriter.Preview(jpeg: bytes, size: jpeg.size)
    }
}
