internal import PictureFormat
internal import Pixels

/// The picture of the null renderer: 8 × 8 grey pixels.
enum PlaceholderPicture {
    private static let edge = 8

    static func grey(_ colourSpace: ColourSpace) -> OutputImage {
        OutputImage(
            luma: plane(edge), cb: plane(edge / 2), cr: plane(edge / 2), subsampling: .quarter,
            colourSpace: colourSpace)
    }

    private static func plane(_ edge: Int) -> Plane<UInt8> {
        let plane = Plane<UInt8>(width: edge, height: edge)
        unsafe plane.samples.initialize(repeating: 128)
        return plane
    }
}
