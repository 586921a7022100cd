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

    static func write(to sink: any StripSink, _ depth: PictureDepth, _ colourSpace: ColourSpace) {
        switch depth {
        case .eight:
            let picture = grey(colourSpace)
            sink.write(.yCbCr(picture.asOneStrip))
        case .sixteen:
            let grey = Plane<UInt16>(width: 3 * edge, height: edge)
            unsafe grey.samples.initialize(repeating: 0x8080)
            let strip = unsafe RGBStrip(
                index: 0, of: PixelSize(width: edge, height: edge), samples: grey.row(0),
                strideSamples: grey.strideSamples)
            sink.write(.rgb(strip))
        }
    }
}
