/// Values of the Compression field (TIFF Revision 6.0, its supplements, and DNG 1.4).
public enum TIFFCompression {
    /// Not compressed.
    public static let none = 1
    /// JPEG as first defined by TIFF 6.0. In Canon's CR2, lossless JPEG.
    public static let oldJPEG = 6
    /// JPEG. With a colour filter array, lossless JPEG.
    public static let jpeg = 7

    /// Deflate (RFC 1950); in a DNG, floating-point numbers.
    public static let deflate = 8
    /// Lossy JPEG of a DNG.
    public static let lossyJPEG = 34892
    /// JPEG XL of a DNG (1.7).
    public static let jpegXL = 52546

    /// Compressions that any TIFF viewer reads: none, CCITT RLE, T.4 and T.6, LZW, JPEG, Deflate under both its
    /// numbers, PackBits.
    public static let ordinary: Set<Int> = [none, 2, 3, 4, 5, jpeg, deflate, packBits, 32946]

    /// Run-length coding of bytes.
    public static let packBits = 32773
}

/// Values of the PhotometricInterpretation field (TIFF Revision 6.0, TIFF/EP and DNG 1.4).
public enum TIFFPhotometric {
    /// Three colours.
    public static let rgb = 2
    /// Samples of a sensor behind a colour filter array.
    public static let colourFilterArray = 32803
    /// Samples of a sensor, interpolated to all its colours.
    public static let linearRaw = 34892

    /// Samples of a sensor.
    public static let sensor: Set<Int> = [colourFilterArray, linearRaw]
    /// Finished pictures: white or black is zero, RGB, palette, CMYK, YCbCr and CIELab.
    public static let ordinary: Set<Int> = [0, 1, rgb, 3, 5, 6, 8]
}
